import type { LeanNode, LeanTree } from '@domos/som/parse'
import type { ScriptEvidence } from '@domos/spec'
import { collapse, getAttribute, hasAttribute, isElement, textOf } from './nodes.ts'

const SCRIPT_TYPE = /^(?:|module|text\/(?:javascript|ecmascript)|application\/(?:javascript|ecmascript|x-javascript))$/i
/** Calls by which a script changes what is shown, fetches it, or goes elsewhere. */
const WRITES =
  /innerHTML|outerHTML|insertAdjacent|document\.write|createElement|\.append\(|appendChild|replaceChildren|textContent\s*=|innerText\s*=|customElements|attachShadow|\bfetch\(|XMLHttpRequest|EventSource|WebSocket|\bimport\(|location\s*(?:\.href\s*)?=|location\.(?:replace|assign)|\.hidden\s*=|classList|\.style\b|setAttribute|history\.(?:push|replace)State/
/** Ids and names of elements that applications build their page in. */
const ROOTS = /^(?:root|app|__next|__nuxt|___gatsby|svelte|application|app-root|main-app|react-root|vue-app|mount)$/i
const REGIONS: ReadonlySet<string> = new Set(['main', 'section', 'article', 'ul', 'ol', 'tbody', 'dl'])
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg'])
const CONTROLS: ReadonlySet<string> = new Set(['input', 'select', 'textarea'])
const ASKS =
  /enable[\s\S]{0,40}(?:java)?script|(?:java)?script[\s\S]{0,60}(?:required|disabled|enabled|turn)|requires? (?:java)?script|need[s]? (?:java)?script/i

/** Reads what a document's source says about its need of script, in one walk. */
export function scriptEvidence(tree: LeanTree): ScriptEvidence {
  let scripts = 0
  let writingScripts = 0
  let textChars = 0
  let emptyRegions = 0
  let emptyCustomElements = 0
  let scriptControls = 0
  let asksForScript = false
  const emptyRoots: string[] = []

  const takeScript = (node: LeanNode): void => {
    if (!SCRIPT_TYPE.test(getAttribute(node, 'type') ?? '')) return
    scripts += 1
    if (!hasAttribute(node, 'src') && WRITES.test(textOf(node))) writingScripts += 1
  }
  const look = (node: LeanNode, tag: string, isInForm: boolean): void => {
    const id = getAttribute(node, 'id') ?? ''
    const isBare = isEmpty(node)
    if (isBare && (ROOTS.test(id) || tag === 'app-root')) emptyRoots.push(id === '' ? tag : `#${id}`.slice(0, 40))
    else if (isBare && REGIONS.has(tag)) emptyRegions += 1
    if (tag.includes('-') && isBare) emptyCustomElements += 1
    if (CONTROLS.has(tag) && !isInForm && getAttribute(node, 'type') !== 'hidden' && !hasAttribute(node, 'form'))
      scriptControls += 1
    if (tag === 'button') {
      const isDeclared = ['popovertarget', 'commandfor', 'form'].some((name) => hasAttribute(node, name))
      const isPlain = getAttribute(node, 'type')?.toLowerCase() === 'button' || !isInForm
      if (isPlain && !isDeclared && !hasAttribute(node, 'disabled')) scriptControls += 1
    }
    if (tag === 'form' && !hasAttribute(node, 'action') && hasAttribute(node, 'onsubmit')) scriptControls += 1
    if (hasAttribute(node, 'contenteditable') || getAttribute(node, 'draggable') === 'true') scriptControls += 1
  }

  // Pages may be nested deeper than a call stack, hence no recursion.
  let form: LeanNode | undefined
  let at: LeanNode | undefined = tree.document.first
  while (at !== undefined) {
    let isSkipped = true
    if (!isElement(at)) textChars += isInHead(at) ? 0 : collapse(at.text ?? '').length
    else if (at.tag === 'script') takeScript(at)
    else if (at.tag === 'noscript') asksForScript ||= ASKS.test(textOf(at))
    else if (!UNSEEN.has(at.tag)) {
      if (hasHandler(at)) writingScripts += 1
      look(at, at.tag, form !== undefined)
      if (at.tag === 'form') form ??= at
      isSkipped = false
    }
    if (!isSkipped && at.first !== undefined) {
      at = at.first
      continue
    }
    while (at !== undefined && at.next === undefined) {
      if (at === form) form = undefined
      at = at.parent
    }
    if (at === form) form = undefined
    at = at?.next
  }
  return {
    scripts,
    writingScripts,
    textChars,
    emptyRoots: emptyRoots.slice(0, 5),
    emptyRegions,
    emptyCustomElements,
    scriptControls,
    asksForScript,
  }
}

function isInHead(node: LeanNode): boolean {
  return node.parent?.tag === 'head' || node.parent?.tag === 'html'
}

/** Nothing inside but white space, comments, scripts and the like. */
function isEmpty(node: LeanNode): boolean {
  for (let child = node.first; child !== undefined; child = child.next) {
    if (isElement(child) ? !UNSEEN.has(child.tag) : collapse(child.text ?? '') !== '') return false
  }
  return true
}

function hasHandler(node: LeanNode): boolean {
  return HANDLERS.some((name) => hasAttribute(node, name))
}

const HANDLERS = [
  'onclick',
  'onsubmit',
  'onchange',
  'oninput',
  'onload',
  'onmousedown',
  'onkeydown',
  'onkeyup',
  'onfocus',
  'onmouseover',
]
