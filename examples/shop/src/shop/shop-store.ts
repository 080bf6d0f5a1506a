import { useSyncExternalStore } from 'react'
import { INITIAL_STATE, parseState, type ShopState } from './shop-state.ts'

const KEY = 'hearth-and-hum/shop'
const listeners = new Set<() => void>()
let state: ShopState = load()

/** The state as it is now. */
export function getShop(): ShopState {
  return state
}

/** Applies a pure transition, keeps the result in the browser and tells every component; what it throws changes nothing. */
export function updateShop(transition: (state: ShopState) => ShopState): ShopState {
  const next = transition(state)
  if (next === state) return state
  state = next
  try {
    localStorage.setItem(KEY, JSON.stringify(state))
  } catch {
    // A full or forbidden storage costs the memory between visits, not the visit.
  }
  notify()
  return state
}

/** Back to a first visit. */
export function resetShop(): void {
  updateShop(() => ({ ...INITIAL_STATE }))
}

/** Calls back after every change, also one made in another tab. */
export function subscribeShop(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

/** The state, for a component. */
export function useShop(): ShopState {
  return useSyncExternalStore(subscribeShop, getShop)
}

function onStorage(event: StorageEvent): void {
  if (event.key !== KEY) return
  state = parseState(event.newValue)
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

function load(): ShopState {
  try {
    return parseState(localStorage.getItem(KEY))
  } catch {
    return INITIAL_STATE
  }
}
