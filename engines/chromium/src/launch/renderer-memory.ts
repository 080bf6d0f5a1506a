import { readdir, readFile } from 'node:fs/promises'

const PAGE_BYTES = 4_096

/** Reads the resident memory of a browser's renderers from /proc. Which processes they are is looked up now and then. */
export class RendererMemory {
  readonly #browserPid: number
  readonly #lookUpEvery: number
  readonly #kinds = new Map<number, string>()
  #renderers: readonly number[] = []
  #reads = 0

  constructor(browserPid: number, lookUpEvery = 2) {
    this.#browserPid = browserPid
    this.#lookUpEvery = lookUpEvery
  }

  /** Pids of renderers over a bound. */
  async over(maxMb: number): Promise<readonly number[]> {
    if (this.#reads++ % this.#lookUpEvery === 0) this.#renderers = await this.#lookUp()
    const sizes = await Promise.all(this.#renderers.map(async (pid) => ({ pid, mb: await residentMb(pid) })))
    return sizes.filter(({ mb }) => mb > maxMb).map(({ pid }) => pid)
  }

  /** Renderers are children of the browser or of its zygotes; nothing else is asked for its children. */
  async #lookUp(): Promise<readonly number[]> {
    const found: number[] = []
    const seen = new Set<number>()
    const open = [this.#browserPid]
    for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
      for (const pid of await childrenOf(parent)) {
        seen.add(pid)
        const kind = this.#kinds.get(pid) ?? (await kindOf(pid))
        // A new renderer is called a zygote for a moment, so that name is not remembered.
        if (kind !== 'zygote') this.#kinds.set(pid, kind)
        if (kind === 'renderer') found.push(pid)
        if (kind === 'zygote' || kind === 'browser') open.push(pid)
      }
    }
    for (const pid of this.#kinds.keys()) if (!seen.has(pid)) this.#kinds.delete(pid)
    return found
  }
}

async function residentMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '')
  return (Number(text.split(' ')[1] ?? 0) * PAGE_BYTES) / 1_048_576
}

async function kindOf(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
  return /--type=([a-z-]+)/.exec(command)?.[1] ?? 'browser'
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  )
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((entry) => entry.trim() !== '')
      .map(Number),
  )
}
