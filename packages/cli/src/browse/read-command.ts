import { DomosError } from '@domos/spec'

/** A line of `domos browse`, understood. */
export type BrowseCommand =
  | { readonly type: 'open'; readonly address: string }
  | { readonly type: 'act'; readonly action: string; readonly target?: string; readonly value?: string }
  | { readonly type: 'find'; readonly text: string }
  | { readonly type: 'wait'; readonly text: string }
  | { readonly type: 'move'; readonly to: 'back' | 'forward' | 'reload' }
  | {
      readonly type: 'show'
      readonly what: 'page' | 'more' | 'all' | 'controls' | 'links' | 'pages' | 'downloads' | 'help'
    }
  | { readonly type: 'go'; readonly pageId: string }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly text?: string }
  | { readonly type: 'quit' }

/** What `help` prints. */
export const HELP = `open ADDRESS          load a page                 back, forward, reload
N, click N            press number N              check N, uncheck N
type N TEXT           replace a field's text      clear N
select N OPTION       choose an option            submit [N]
press KEY [N]         press a key, such as Enter  scroll up|down
look                  show the page again         more          go on reading
controls, links       what can be acted on        all           the whole page
find TEXT             lines that hold a text      wait TEXT     until a text appears
pages, go PAGE        open pages, and switch      downloads     files that were loaded
accept [TEXT]         answer a dialog yes         dismiss       answer it no
help                  this                        quit`

const WORDS: Readonly<Record<string, BrowseCommand>> = {
  back: { type: 'move', to: 'back' },
  forward: { type: 'move', to: 'forward' },
  reload: { type: 'move', to: 'reload' },
  look: { type: 'show', what: 'page' },
  more: { type: 'show', what: 'more' },
  all: { type: 'show', what: 'all' },
  controls: { type: 'show', what: 'controls' },
  links: { type: 'show', what: 'links' },
  pages: { type: 'show', what: 'pages' },
  downloads: { type: 'show', what: 'downloads' },
  help: { type: 'show', what: 'help' },
  '?': { type: 'show', what: 'help' },
  dismiss: { type: 'dialog', accept: false },
  quit: { type: 'quit' },
  exit: { type: 'quit' },
  q: { type: 'quit' },
}

/** Reads a line; undefined for an empty one or a comment. @throws DomosError `invalid_request` saying how it is written */
export function readCommand(line: string): BrowseCommand | undefined {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return undefined
  const [first = '', rest = ''] = split(text)
  const word = first.toLowerCase()
  if (/^\[?\d+\]?$/.test(first) && rest === '')
    return { type: 'act', action: 'click', target: number(first, 'click N') }
  if (/^https?:\/\//i.test(text)) return { type: 'open', address: text }
  if (rest === '' && Object.hasOwn(WORDS, word)) return WORDS[word]
  switch (word) {
    case 'open':
      return { type: 'open', address: needed(rest, 'open ADDRESS') }
    case 'find':
      return { type: 'find', text: needed(rest, 'find TEXT') }
    case 'wait':
      return { type: 'wait', text: needed(rest, 'wait TEXT') }
    case 'go':
      return { type: 'go', pageId: needed(rest, 'go PAGE') }
    case 'accept':
      return { type: 'dialog', accept: true, ...(rest === '' ? {} : { text: rest }) }
    case 'click':
    case 'check':
    case 'uncheck':
    case 'clear':
      return { type: 'act', action: word, target: number(rest, `${word} N`) }
    case 'type':
    case 'select': {
      const [target = '', value = ''] = split(rest)
      const usage = word === 'type' ? 'type N TEXT' : 'select N OPTION'
      return { type: 'act', action: word, target: number(target, usage), value: needed(value, usage) }
    }
    case 'submit':
      return { type: 'act', action: 'submit', ...(rest === '' ? {} : { target: number(rest, 'submit [N]') }) }
    case 'press': {
      const [key = '', target = ''] = split(rest)
      const on = target === '' ? {} : { target: number(target, 'press KEY [N]') }
      return { type: 'act', action: 'press', value: needed(key, 'press KEY [N]'), ...on }
    }
    case 'scroll':
      return { type: 'act', action: 'scroll', value: needed(rest, 'scroll up|down') }
    default:
      throw new DomosError('invalid_request', `There is no command ${first.slice(0, 40)}; "help" lists them.`)
  }
}

function split(text: string): readonly [string, string] {
  const end = text.search(/\s/)
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

function needed(text: string, usage: string): string {
  if (text === '') throw new DomosError('invalid_request', `Write it as: ${usage}`)
  return text
}

/** A number as the page shows it, or an element's id. */
function number(text: string, usage: string): string {
  const found = /^\[?(\d+|e[_:][\w.:-]+)\]?$/.exec(text)?.[1]
  if (found === undefined)
    throw new DomosError('invalid_request', `Write it as: ${usage}, with a number that the page shows.`)
  return found
}
