/** What a person waits for. */
export interface Progress {
  /** Says it with other words. */
  update(text: string): void
  stop(): void
}

const FIRST_MS = 1_000
const FRAME_MS = 120
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/**
 * Tells on standard error what is going on, once it takes longer than a second: a moving line in a terminal that may
 * have one, a single plain line elsewhere.
 */
export function startProgress(
  text: string,
  err: (line: string) => void,
  env: Readonly<Record<string, string | undefined>>,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  const moves = stream.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb'
  const startedAt = performance.now()
  let current = text
  let frame = 0
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    if (!moves) {
      err(`${current} …`)
      return
    }
    timer = setInterval(() => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000)
      stream.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${current} … ${seconds} s`)
    }, FRAME_MS)
  }, FIRST_MS)
  return {
    update(next) {
      current = next
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      if (moves && frame > 0) stream.write('\r\x1b[2K')
    },
  }
}
