import { registerProcessors } from './processors.ts'

const loaded = new WeakMap<BaseAudioContext, Promise<void>>()

/**
 * Loads the processors into an audio context, once. `workletUrl` names a file of the page's own origin that holds the module
 * `@domos/audio/worklet`; without it the code comes from a blob URL, which a policy without `blob:` refuses.
 */
export function loadWorklet(context: BaseAudioContext, workletUrl: string | undefined): Promise<void> {
  const known = loaded.get(context)
  if (known !== undefined) return known
  const loading = load(context, workletUrl)
  loaded.set(context, loading)
  return loading
}

async function load(context: BaseAudioContext, workletUrl: string | undefined): Promise<void> {
  if (workletUrl !== undefined) {
    await context.audioWorklet.addModule(workletUrl)
    return
  }
  const source = new Blob([`(${registerProcessors.toString()})(globalThis)`], { type: 'text/javascript' })
  const url = URL.createObjectURL(source)
  try {
    await context.audioWorklet.addModule(url)
  } finally {
    URL.revokeObjectURL(url)
  }
}
