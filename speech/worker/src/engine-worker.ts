import { type ChildProcess, fork } from 'node:child_process'
import { DomosError } from '@domos/spec'
import { ENGINE_WORKER_LIMITS, type EngineWorkerLimits } from './limits.ts'
import type { WorkerMessage } from './messages.ts'

/** What {@link createEngineWorker} takes. */
export interface EngineWorkerOptions {
  /** The engine's name in messages, e.g. `pocketsphinx`. */
  readonly name: string
  /** The module the worker runs; it calls `serveEngine`. */
  readonly entry: URL
  /** Given to the worker's `start`; structured-cloneable. */
  readonly init: unknown
  readonly limits?: Partial<EngineWorkerLimits>
  /** A worker has loaded its engine. */
  readonly onStart?: ((pid: number) => void) | undefined
  /** What the worker emits. */
  readonly onEvent?: (event: unknown) => void
  /** The worker ended without being asked to; whatever it held is lost. It is restarted by the next call. */
  readonly onExit?: (error: DomosError) => void
}

/** A process that runs an engine. It starts with the first call and keeps this process alive only while calls are open. */
export interface EngineWorker {
  /** Starts the worker unless it runs; gives the facts it reported. */
  start(): Promise<unknown>
  /**
   * Asks for a result.
   * @throws `unavailable` (crashed or refused to load), `timeout` (hung; it is killed), `busy`, `cancelled`, `internal`
   * (the method failed)
   */
  call(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
  /** Tells the worker something that has no answer; lost when it is not running. */
  post(method: string, params: unknown): void
  /** The process id while it runs. */
  readonly pid: number | undefined
  /** Ends the worker. May be called twice. */
  close(): Promise<void>
}

interface PendingCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: DomosError) => void
}

interface RunningWorker {
  readonly process: ChildProcess
  readonly ready: Promise<unknown>
  readonly pending: Map<number, PendingCall>
  readonly exited: Promise<void>
}

/** Makes a worker; nothing runs before the first call. */
export function createEngineWorker(options: EngineWorkerOptions): EngineWorker {
  const limits = { ...ENGINE_WORKER_LIMITS, ...options.limits }
  let running: RunningWorker | undefined
  let closed = false
  let failures = 0
  let notBefore = 0
  let nextId = 1
  let openCalls = 0

  const unavailable = (reason: string, cause?: unknown): DomosError =>
    new DomosError('unavailable', `The speech engine ${options.name} ${reason}.`, cause === undefined ? {} : { cause })

  const launch = (): RunningWorker => {
    const child = fork(options.entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: nodeFlags(options.entry),
      env: childEnvironment(),
    })
    child.unref()
    const stderr = tailOf(child)
    const pending = new Map<number, PendingCall>()
    let reason = 'stopped by itself'
    let isReady = false
    const started = Promise.withResolvers<unknown>()
    const exited = Promise.withResolvers<void>()
    started.promise.catch(() => {})
    const startTimer = setTimeout(() => {
      reason = `did not load within ${limits.startTimeoutMs} ms`
      child.kill('SIGKILL')
    }, limits.startTimeoutMs)

    child.on('message', (message: WorkerMessage) => {
      if (message.type === 'event') options.onEvent?.(message.event)
      else if (message.type === 'ready') {
        clearTimeout(startTimer)
        isReady = true
        if (child.pid !== undefined) options.onStart?.(child.pid)
        started.resolve(message.info)
      } else if (message.type === 'refused') {
        reason = `cannot be loaded: ${message.message}`
        child.kill('SIGKILL')
      } else {
        const call = pending.get(message.id)
        pending.delete(message.id)
        failures = 0
        if (message.type === 'result') call?.resolve(message.value)
        else call?.reject(new DomosError('internal', message.message))
      }
    })
    // `exit` follows a failed spawn only on some platforms; `error` alone means the process never ran.
    child.on('error', (cause) => ended(cause))
    child.on('exit', () => ended(undefined))

    let over = false
    const ended = (cause: unknown): void => {
      if (over) return
      over = true
      clearTimeout(startTimer)
      if (running?.process === child) running = undefined
      exited.resolve()
      const text = stderr()
      const error = unavailable(closed ? 'is closed' : reason, cause ?? (text ? new Error(text) : undefined))
      started.reject(error)
      for (const call of pending.values()) call.reject(error)
      pending.clear()
      if (closed) return
      failures++
      const delay = failures < 2 ? 0 : Math.min(limits.restartDelayMs * 2 ** (failures - 2), limits.maxRestartDelayMs)
      notBefore = performance.now() + delay
      if (isReady) options.onExit?.(error)
    }
    child.send({ type: 'init', init: options.init }, () => {})
    child.channel?.unref()
    return { process: child, ready: started.promise, pending, exited: exited.promise }
  }

  const ensureRunning = (): RunningWorker => {
    if (closed) throw unavailable('is closed')
    if (running) return running
    const waitMs = Math.ceil(notBefore - performance.now())
    if (waitMs > 0) throw unavailable(`failed ${failures} times in a row and is tried again in ${waitMs} ms`)
    running = launch()
    return running
  }

  const ask = async (worker: RunningWorker, method: string, params: unknown, signal: AbortSignal): Promise<unknown> => {
    const id = nextId++
    const answer = Promise.withResolvers<unknown>()
    worker.pending.set(id, answer)
    const timer = setTimeout(() => {
      if (!worker.pending.delete(id)) return
      answer.reject(
        new DomosError(
          'timeout',
          `The speech engine ${options.name} did not answer within ${limits.callTimeoutMs} ms.`,
        ),
      )
      // Calls from now on belong to the next worker.
      if (running === worker) running = undefined
      worker.process.kill('SIGKILL')
    }, limits.callTimeoutMs)
    const cancel = (): void => {
      worker.pending.delete(id)
      answer.reject(cancelled())
    }
    signal.addEventListener('abort', cancel, { once: true })
    worker.process.send({ type: 'call', id, method, params }, () => {})
    try {
      return await answer.promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
  }

  return {
    async start() {
      return ensureRunning().ready
    },

    async call(method, params, signal) {
      throwIfAborted(signal)
      if (openCalls >= limits.maxPendingCalls) {
        throw new DomosError('busy', `The speech engine ${options.name} has ${openCalls} calls waiting.`)
      }
      openCalls++
      try {
        const worker = ensureRunning()
        await raceAbort(worker.ready, signal)
        if (running !== worker) throw unavailable('stopped by itself')
        return await ask(worker, method, params, signal)
      } finally {
        openCalls--
      }
    },
    post(method, params) {
      if (running?.process.connected) running.process.send({ type: 'call', method, params }, () => {})
    },

    get pid() {
      return running?.process.pid
    },

    async close() {
      closed = true
      const worker = running
      if (!worker) return
      worker.process.kill('SIGKILL')
      worker.process.ref()
      await worker.exited
    },
  }
}

/** A worker started from sources resolves workspace packages to sources too. */
function nodeFlags(entry: URL): string[] {
  const flags = ['--disable-warning=ExperimentalWarning']
  return entry.pathname.endsWith('.ts') ? [...flags, '--conditions=@domos/source'] : flags
}

/** The engine needs to find libraries and a place for files, not the keys of this process. */
function childEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'SystemRoot']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

const STDERR_TAIL = 2_000

function tailOf(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-STDERR_TAIL)
  })
  // A pipe of a child is a socket, whose type does not say so.
  const pipe = child.stderr as (NonNullable<ChildProcess['stderr']> & { unref?: () => void }) | null
  pipe?.unref?.()
  return () => tail.trim()
}

function cancelled(): DomosError {
  return new DomosError('cancelled', 'The work was cancelled.')
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled()
}

function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const race = Promise.withResolvers<T>()
  const cancel = (): void => race.reject(cancelled())
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  promise.then(race.resolve, race.reject)
  return race.promise.finally(() => signal.removeEventListener('abort', cancel))
}
