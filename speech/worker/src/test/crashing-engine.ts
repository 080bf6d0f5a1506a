import { serveEngine } from '../serve.ts'

serveEngine(async (init) => {
  if (init === 'refuse') throw new Error('no model here')
  return {
    info: { loadedWith: init },
    methods: {
      double: (params) => (params as number) * 2,
      fail: () => {
        throw new Error('cannot do that')
      },
      crash: () => process.kill(process.pid, 'SIGSEGV'),
      hang: () => {
        for (;;);
      },
    },
  }
})
