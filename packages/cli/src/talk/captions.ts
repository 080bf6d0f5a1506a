/** Shows what is said, as it is said. */
export interface Captions {
  show(caption: { readonly role: 'user' | 'assistant'; readonly text: string; readonly isFinal: boolean }): void
  /** A line of its own that is no speech. */
  note(text: string): void
}

/** Where captions go. */
export interface CaptionOptions {
  readonly out: (line: string) => void
  /** Writes without a line end, where the line may be rewritten; undefined = only finished lines. */
  readonly rewrite?: (text: string) => void
  readonly columns?: number
}

const NAMES = { user: 'You', assistant: 'Agent' } as const

/** Makes captions: a line that grows in a terminal, finished lines elsewhere. */
export function createCaptions({ out, rewrite, columns = 80 }: CaptionOptions): Captions {
  let isOpen = false
  const clear = (): void => {
    if (isOpen) rewrite?.('\r\u001b[2K')
    isOpen = false
  }
  return {
    show({ role, text, isFinal }) {
      const line = `${NAMES[role]}: ${text}`
      if (isFinal) {
        clear()
        out(line)
      } else if (rewrite !== undefined) {
        clear()
        rewrite(line.length < columns ? line : `…${line.slice(-(columns - 2))}`)
        isOpen = true
      }
    },
    note(text) {
      clear()
      out(text)
    },
  }
}
