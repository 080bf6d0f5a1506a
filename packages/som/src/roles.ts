import type { ElementAction, ElementRole } from './som.ts'
import type { DocumentTree } from './tree.ts'

const click: readonly ElementAction[] = ['click']
const type: readonly ElementAction[] = ['type', 'clear']
const toggle: readonly ElementAction[] = ['toggle']
const select: readonly ElementAction[] = ['select']

/** Default actions by role; roles without an entry are not interactive. SOM: Element Roles. */
export const roleActions: Readonly<Partial<Record<ElementRole, readonly ElementAction[]>>> = {
  link: click,
  button: click,
  text_input: type,
  textarea: type,
  select,
  checkbox: toggle,
  radio: select,
  details: toggle,
}

const ariaRoles: Readonly<Record<string, ElementRole | 'container'>> = {
  link: 'link',
  button: 'button',
  menuitem: 'button',
  tab: 'button',
  option: 'button',
  treeitem: 'button',
  checkbox: 'checkbox',
  switch: 'checkbox',
  menuitemcheckbox: 'checkbox',
  radio: 'radio',
  menuitemradio: 'radio',
  textbox: 'text_input',
  searchbox: 'text_input',
  slider: 'text_input',
  spinbutton: 'text_input',
  combobox: 'button',
  listbox: 'group',
  heading: 'heading',
  img: 'image',
  image: 'image',
  separator: 'separator',
  group: 'group',
  radiogroup: 'group',
  presentation: 'container',
  none: 'container',
}
const buttonInputs = new Set(['submit', 'button', 'reset', 'image', 'file'])
const textEntry = new Set(['input', 'textarea', 'select'])

/** Tokens of a role attribute, lower case. */
export function roleTokens(role: string | undefined): readonly string[] {
  if (role === undefined) return []
  const text = role.trim().toLowerCase()
  return text === '' ? [] : text.includes(' ') ? text.split(/\s+/) : [text]
}

/** What the node is as an element: its role, `container` for a role that takes meaning away, or undefined. */
export function elementRole<N extends object>(
  tree: DocumentTree<N>,
  node: N,
  tag: string,
  roles: readonly string[],
): ElementRole | 'container' | undefined {
  const native = nativeRole(tree, node, tag)
  for (const token of roles) {
    const role = Object.hasOwn(ariaRoles, token) ? ariaRoles[token] : undefined
    if (role === undefined) continue
    // What can be typed into stays so whatever it is called; a native control never loses itself to a container role.
    if (textEntry.has(tag) && (tag !== 'input' || native === 'text_input')) return native
    if (role === 'container') return native !== undefined && roleActions[native] ? native : 'container'
    if (token === 'treeitem' || token === 'option' || token === 'combobox')
      return native ?? editable(tree, node) ?? role
    if (role === 'text_input' && (tree.attribute(node, 'aria-multiline') === 'true' || editable(tree, node))) {
      return 'textarea'
    }
    // A link that is called a heading is still a link.
    if (native !== undefined && roleActions[native] !== undefined && roleActions[role] === undefined) return native
    return role
  }
  return native ?? editable(tree, node)
}

function editable<N extends object>(tree: DocumentTree<N>, node: N): ElementRole | undefined {
  const value = tree.attribute(node, 'contenteditable')?.toLowerCase()
  return value === '' || value === 'true' || value === 'plaintext-only' ? 'textarea' : undefined
}

function nativeRole<N extends object>(tree: DocumentTree<N>, node: N, tag: string): ElementRole | undefined {
  switch (tag) {
    case 'a':
    case 'area':
      return tree.attribute(node, 'href') === undefined ? undefined : 'link'
    case 'button':
      return 'button'
    case 'input':
      return inputRole(inputType(tree, node))
    case 'textarea':
      return 'textarea'
    case 'select':
      return 'select'
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return 'heading'
    case 'img':
    case 'picture':
      return tag === 'img' ? 'image' : undefined
    case 'ul':
    case 'ol':
    case 'menu':
      return 'list'
    case 'table':
      return 'table'
    case 'p':
      return 'paragraph'
    case 'hr':
      return 'separator'
    case 'iframe':
    case 'frame':
      return 'iframe'
    case 'fieldset':
      return 'group'
    case 'details':
      return 'details'
    default:
      return undefined
  }
}

function inputRole(kind: string): ElementRole | undefined {
  if (kind === 'hidden') return undefined
  if (kind === 'checkbox') return 'checkbox'
  if (kind === 'radio') return 'radio'
  return buttonInputs.has(kind) ? 'button' : 'text_input'
}

/** Type of an input as browsers read it: lower case, `text` when absent or empty. */
export function inputType<N extends object>(tree: DocumentTree<N>, node: N): string {
  return tree.attribute(node, 'type')?.trim().toLowerCase() || 'text'
}

const secretAutocomplete = /(?:^|\s)(?:one-time-code|current-password|new-password|cc-[a-z-]+)(?:\s|$)/i

/** True for fields whose value never leaves the page: passwords, one-time codes, card data. */
export function isSecretField<N extends object>(tree: DocumentTree<N>, node: N): boolean {
  const tag = tree.tag(node)
  if (tag !== 'input' && tag !== 'textarea' && tag !== 'select') return false
  if (tag === 'input' && inputType(tree, node) === 'password') return true
  const autocomplete = tree.attribute(node, 'autocomplete')
  return autocomplete !== undefined && secretAutocomplete.test(autocomplete)
}

/** Tags whose box starts and ends a line. */
export const blockTags: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'caption',
  'center',
  'dd',
  'details',
  'dialog',
  'dir',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'frameset',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hgroup',
  'hr',
  'html',
  'iframe',
  'legend',
  'li',
  'listing',
  'main',
  'menu',
  'nav',
  'ol',
  'optgroup',
  'option',
  'p',
  'plaintext',
  'pre',
  'search',
  'section',
  'summary',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'ul',
  'video',
  'xmp',
])

/** Tags that never show anything. `template` may hold a shadow root, which is read through its host. */
export const strippedTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'meta',
  'link',
  'head',
  'title',
  'base',
  'datalist',
  'noframes',
  'noembed',
  'param',
  'source',
  'track',
  'col',
  'colgroup',
  'rp',
])
