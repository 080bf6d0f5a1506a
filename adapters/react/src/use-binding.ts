import type { DomOSClient } from '@domos/core'
import type { Binding } from '@domos/core/adapter'
import { useEffect, useLayoutEffect, useRef } from 'react'

// React 18 complains about layout effects on a server, where no effect runs.
const useCommitEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** Tells the client after each committed rendering, for as long as the component is on the page. */
export function useBinding<T>(client: DomOSClient, bind: (client: DomOSClient) => Binding<T>, value: T): void {
  const binding = useRef<Binding<T> | null>(null)
  useCommitEffect(() => {
    const bound = bind(client)
    binding.current = bound
    return () => bound.remove()
  }, [client, bind])
  useCommitEffect(() => binding.current?.update(value))
}
