import { Worker } from 'node:worker_threads'
import type { MediaEnvironment } from '@domos/som'
import { DomosError } from '@domos/spec'
import type { DocumentHost } from './document-host.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

/** Bounds of the workers. */
export interface WorkerLimits {
  /** Worker threads for large documents. @default 2 */
  readonly maxWorkers: number
  /** Time one call may take; then the worker is ended, and the documents in it are lost. @default 20_000 */
  readonly workerCallTimeoutMs: number
  /** Heap of one worker. @default 1_024 */
  readonly maxWorkerHeapMb: number
}

interface Pending {
  readonly resolve: (value: never) => void
  readonly reject: (error: DomosError) => void
}

/** Worker threads that host large documents, so that parsing them holds nobody up. Started with the first one. */
export class WorkerPool {
  readonly #limits: WorkerLimits
  #workers: HostWorker[] = []
  #nextPage = 1

  constructor(limits: WorkerLimits) {
    this.#limits = limits
  }

  /** A host in the worker that has the fewest pages. */
  open(media: MediaEnvironment): DocumentHost {
    this.#workers = this.#workers.filter(({ isOver }) => !isOver)
    let worker = [...this.#workers].sort((a, b) => a.pages - b.pages)[0]
    if (worker === undefined || (worker.pages > 0 && this.#workers.length < this.#limits.maxWorkers)) {
      worker = new HostWorker(this.#limits)
      this.#workers.push(worker)
    }
    return worker.open(this.#nextPage++, media)
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.end(gone())))
  }
}

class HostWorker {
  readonly #worker: Worker
  readonly #limits: WorkerLimits
  readonly #pending = new Map<number, Pending>()
  pages = 0
  isOver = false
  #nextCall = 1

  constructor(limits: WorkerLimits) {
    this.#limits = limits
    const isSource = import.meta.url.endsWith('.ts')
    // The compiler rewrites endings in imports, not in URLs.
    this.#worker = new Worker(new URL(`../worker${isSource ? '.ts' : '.js'}`, import.meta.url), {
      execArgv: isSource ? ['--conditions=@domos/source', '--disable-warning=ExperimentalWarning'] : [],
      resourceLimits: { maxOldGenerationSizeMb: limits.maxWorkerHeapMb, stackSizeMb: 8 },
      env: {},
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromWorker) => this.#answered(message))
    this.#worker.on('error', () => void this.end(tooHeavy()))
    this.#worker.on('exit', () => void this.end(gone()))
  }

  open(page: number, media: MediaEnvironment): DocumentHost {
    this.pages += 1
    this.#post({ type: 'open', page, media })
    let isClosed = false
    const isOver = (): boolean => this.isOver
    return {
      get isOver() {
        return isOver()
      },
      call: (method, ...args) => this.#call(page, method, args),
      close: () => {
        if (isClosed) return
        isClosed = true
        this.pages -= 1
        this.#post({ type: 'close', page })
      },
    }
  }

  async end(error: DomosError): Promise<void> {
    if (this.isOver) return
    this.isOver = true
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
    await this.#worker.terminate()
  }

  #call<T>(page: number, method: string, args: unknown[]): Promise<T> {
    if (this.isOver) return Promise.reject(gone())
    const call = this.#nextCall++
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => void this.end(tooHeavy()), this.#limits.workerCallTimeoutMs)
      const settle = (finish: () => void): void => {
        clearTimeout(timer)
        finish()
      }
      this.#pending.set(call, {
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      })
      this.#post({ type: 'call', page, call, method, args })
    })
  }

  #answered(message: FromWorker): void {
    const pending = this.#pending.get(message.call)
    if (pending === undefined) return
    this.#pending.delete(message.call)
    if (message.ok) pending.resolve(message.value as never)
    else pending.reject(new DomosError(message.code, message.message, { details: message.details }))
  }

  #post(message: ToWorker): void {
    if (!this.isOver) this.#worker.postMessage(message)
  }
}

function tooHeavy(): DomosError {
  return new DomosError('too_large', 'The document is too heavy to be worked on; it was dropped. Navigate again.', {
    details: { reason: 'DOCUMENT_TOO_HEAVY' },
  })
}

function gone(): DomosError {
  return new DomosError('unavailable', 'The document is gone; navigate again.', {
    details: { reason: 'DOCUMENT_GONE' },
  })
}
