import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Icon } from './icons.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: () => void
}

const SHOWN_MS = 6_000
const MOST = 3
let toasts: readonly Toast[] = []
let counter = 0
const listeners = new Set<() => void>()

/** Says something in passing; with `undo`, it can be taken back for as long as it shows. */
export function showToast(text: string, undo?: () => void): void {
  counter += 1
  set([...toasts, { id: counter, text, ...(undo ? { undo } : {}) }].slice(-MOST))
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where toasts show. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { readonly toast: Toast }): ReactNode {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast.id])
  return (
    <div className="toast">
      <Icon name="check" />
      <span>{toast.text}</span>
      {toast.undo && (
        <button
          type="button"
          className="text-button"
          onClick={() => {
            toast.undo?.()
            dismiss(toast.id)
          }}
        >
          Undo
        </button>
      )}
    </div>
  )
}
