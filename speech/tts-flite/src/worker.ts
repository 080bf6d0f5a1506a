import { serveEngine } from '@domos/speech-worker/serve'
import type { FliteRequest, FliteSynthesizer } from './synthesizer.ts'
import { createWasiSynthesizer } from './wasi-synthesizer.ts'

/** What the parent asks for; `auto` prefers the system's library. */
export interface FliteWorkerInit {
  readonly backend: 'auto' | 'native' | 'wasi'
}

serveEngine(async (init) => {
  // The parent is our own module, so the shape is known.
  const synthesizer = await choose((init as FliteWorkerInit).backend)
  return {
    info: { backend: synthesizer.backend },
    methods: { speak: (params) => synthesizer.speak(params as FliteRequest) },
  }
})

async function choose(backend: FliteWorkerInit['backend']): Promise<FliteSynthesizer> {
  if (backend === 'wasi') return createWasiSynthesizer()
  try {
    const native = await import('./native-synthesizer.ts')
    return native.createNativeSynthesizer()
  } catch (thrown) {
    if (backend === 'native') throw thrown
    return createWasiSynthesizer()
  }
}
