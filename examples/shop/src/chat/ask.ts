type Listener = (text: string) => void
const listeners = new Set<Listener>()

/** Says something to the assistant from anywhere in the shop; the panel opens and sends it. */
export function askAssistant(text: string): void {
  for (const listener of listeners) listener(text)
}

/** For the panel. */
export function onAsk(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
