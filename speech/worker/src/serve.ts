import type { WorkerMessage, WorkerRequest } from './messages.ts'

/** What a worker can be asked for. Calls are handled one after the other, in the order they came. */
export type WorkerMethods = Readonly<Record<string, (params: unknown) => unknown>>

/** What a worker gives back once its engine is loaded: its methods, and facts for the parent. */
export interface WorkerEngine {
  readonly methods: WorkerMethods
  readonly info?: unknown
}

/**
 * The worker's end: loads the engine with what the parent sent, then answers calls. The process ends with its parent. A
 * throw of `start` refuses the engine with its message; a throw of a method fails that call alone.
 */
export function serveEngine(start: (init: unknown, emit: (event: unknown) => void) => Promise<WorkerEngine>): void {
  const send = (message: WorkerMessage): void => {
    // A parent that is gone ends this process through `disconnect`; until then there is nobody to tell.
    process.send?.(message, undefined, undefined, () => {})
  }
  let engine: WorkerEngine | undefined
  const handle = async (request: WorkerRequest): Promise<void> => {
    if (request.type === 'init') {
      try {
        engine = await start(request.init, (event) => send({ type: 'event', event }))
        send({ type: 'ready', info: engine.info })
      } catch (thrown) {
        send({ type: 'refused', message: messageOf(thrown) })
      }
      return
    }
    const { id } = request
    try {
      const method = engine?.methods[request.method]
      if (!method) throw new Error(`The worker has no method ${request.method}.`)
      const value = await method(request.params)
      if (id !== undefined) send({ type: 'result', id, value })
    } catch (thrown) {
      if (id !== undefined) send({ type: 'failure', id, message: messageOf(thrown) })
    }
  }
  let tail = Promise.resolve()
  process.on('message', (request: WorkerRequest) => {
    tail = tail.then(() => handle(request))
  })
  process.on('disconnect', () => process.exit(0))
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
