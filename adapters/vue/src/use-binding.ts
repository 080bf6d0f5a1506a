import type { DomOSClient } from '@domos/core'
import type { Binding } from '@domos/core/adapter'
import { onActivated, onDeactivated, onMounted, onUnmounted, watch } from 'vue'
import { useDomOSClient } from './plugin.ts'

/**
 * Tells the client what `read` gives, anew whenever what it read changed, for as long as the component is on the page;
 * one that is kept alive out of sight is not. On a server it does nothing.
 */
export function useBinding<T>(bind: (client: DomOSClient) => Binding<T>, read: () => T): void {
  const binding = bind(useDomOSClient())
  let stop: (() => void) | undefined
  const show = () => {
    stop ??= watch(read, (value) => binding.update(value), { immediate: true, flush: 'post' })
  }
  const hide = () => {
    stop?.()
    stop = undefined
    binding.remove()
  }
  onMounted(show)
  onActivated(show)
  onDeactivated(hide)
  onUnmounted(hide)
}
