const SAFE = /^[a-zA-Z0-9_-]{1,64}$/
const MAX_CHARS = 64

/**
 * Gives every tool name one that model providers accept (`^[a-zA-Z0-9_-]{1,64}$`), unique and the same for as long as the
 * session lives, so that the history a model reads stays true when tools come and go.
 */
export interface ToolNames {
  /** The alias for a page's name. */
  aliasOf(name: string): string
  /** The page's name for an alias; an alias never given out is undefined. */
  nameOf(alias: string): string | undefined
}

/** How many names are remembered; far above what one page offers, so that only endless new names push old ones out. */
const NAMES_MAX = 4_096

/** Makes the names of one session. */
export function createToolNames(): ToolNames {
  const aliases = new Map<string, string>()
  const names = new Map<string, string>()

  function remember(name: string, alias: string): string {
    aliases.set(name, alias)
    names.set(alias, name)
    const oldest = aliases.entries().next().value
    if (aliases.size > NAMES_MAX && oldest !== undefined) {
      aliases.delete(oldest[0])
      names.delete(oldest[1])
    }
    return alias
  }

  return {
    aliasOf(name) {
      const known = aliases.get(name)
      if (known !== undefined) return known
      if (SAFE.test(name) && !names.has(name)) return remember(name, name)
      const base = toAscii(name)
      for (let number = 1; ; number += 1) {
        const suffix = number === 1 ? '' : `_${number}`
        const alias = base.slice(0, MAX_CHARS - suffix.length) + suffix
        if (!names.has(alias)) return remember(name, alias)
      }
    },
    nameOf: (alias) => names.get(alias),
  }
}

function toAscii(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return ascii === '' ? 'tool' : ascii.slice(0, MAX_CHARS)
}
