// Effects are Svelte's compiler's business, so this file is a module with runes; everything else here is plain.

/** Runs `update` now and whenever what it read changed, and `end` when the component goes. A server runs neither. */
export function whileAlive(update: () => void, end: () => void): void {
  $effect(update)
  $effect(() => end)
}

/** Runs `start` once the component is on the page, and what it returns when the component goes. */
export function onceAlive(start: () => (() => void) | undefined): void {
  $effect(start)
}
