import {
  type DefaultTreeAdapterMap,
  html,
  type ParserOptions,
  parse,
  type Token,
  type TreeAdapter,
  type TreeAdapterTypeMap,
} from 'parse5'
import {
  append,
  detach,
  insertBefore,
  LEAN_COMMENT,
  LEAN_ELEMENT,
  LEAN_OTHER,
  LEAN_TEXT,
  type LeanAttribute,
  LeanNode,
  LeanTree,
  stateOf,
} from './lean-tree.ts'

// Parsing stands behind its own entry, so that the compiler can be bundled into a page without a parser.

type LeanMap = TreeAdapterTypeMap<
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode,
  LeanNode
>

/** Options of {@link parseHtml}. */
export interface ParseHtmlOptions {
  /** Attributes kept of one element; the rest is dropped and counted in the node's state. @default 1_024 */
  readonly maxAttributes?: number
  /** Parse as a browser with script on does (noscript is text). @default false */
  readonly scriptingEnabled?: boolean
  /**
   * Steps of building the tree; then the rest of the source is left out and the tree says `isCut`. Broken markup can make
   * a tree grow with the square of its source. @default 100,000 and 4 for each character, 20 times what pages need
   */
  readonly maxSteps?: number
}

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml'
const noAttributes: LeanAttribute[] = []
const formControls = new Set(['button', 'fieldset', 'input', 'object', 'output', 'select', 'textarea'])

/** Parses HTML to a lean tree; never throws, any string is a document. */
export function parseHtml(source: string, options: ParseHtmlOptions = {}): LeanTree {
  const document = new LeanNode(LEAN_OTHER, '', '', noAttributes, '')
  const steps = { left: options.maxSteps ?? 100_000 + 4 * source.length }
  const adapter = createAdapter(document, steps, options.maxAttributes ?? 1_024)
  const parserOptions: ParserOptions<LeanMap> = {
    treeAdapter: adapter,
    scriptingEnabled: options.scriptingEnabled ?? false,
  }
  let isCut = false
  try {
    parse<LeanMap>(source, parserOptions)
  } catch (thrown) {
    if (!(thrown instanceof OutOfSteps)) throw thrown
    isCut = true
  }
  return new LeanTree(document, /<template[^>]*\sshadowroot/i.test(source), isCut)
}

class OutOfSteps extends Error {}

function createAdapter(document: LeanNode, steps: { left: number }, maxAttributes: number): TreeAdapter<LeanMap> {
  const step = (): void => {
    if (steps.left-- <= 0) throw new OutOfSteps()
  }
  // The parser looks through all open elements at most tags, without asking for them here.
  let depth = 0
  let mode = html.DOCUMENT_MODE.NO_QUIRKS
  const insertText = (parent: LeanNode, text: string, before: LeanNode | undefined): void => {
    const neighbour = before ? before.previous : parent.last
    if (neighbour && neighbour.type === LEAN_TEXT) neighbour.text += text
    else if (before) insertBefore(parent, new LeanNode(LEAN_TEXT, '', '', noAttributes, text), before)
    else append(parent, new LeanNode(LEAN_TEXT, '', '', noAttributes, text))
  }
  return {
    createDocument: () => document,
    createDocumentFragment: () => new LeanNode(LEAN_OTHER, '', '', noAttributes, ''),
    createElement: (tag, namespace, attrs: Token.Attribute[]) => {
      step()
      if (attrs.length <= maxAttributes) return new LeanNode(LEAN_ELEMENT, tag, namespace, attrs, '')
      const node = new LeanNode(LEAN_ELEMENT, tag, namespace, attrs.slice(0, maxAttributes), '')
      stateOf(node).droppedAttributes = attrs.length - maxAttributes
      return node
    },
    onElementCreated: (element, context) => {
      if (context.formElement !== null && !context.isInTemplate && formControls.has(element.tag)) {
        stateOf(element).formOwner = context.formElement
      }
    },
    createCommentNode: () => new LeanNode(LEAN_COMMENT, '', '', noAttributes, ''),
    createTextNode: (text) => new LeanNode(LEAN_TEXT, '', '', noAttributes, text),
    onItemPush() {
      depth++
      steps.left -= depth >> 10
    },
    onItemPop() {
      depth--
    },
    appendChild(parent, node) {
      step()
      append(parent, node)
    },
    insertBefore(parent, node, reference) {
      step()
      insertBefore(parent, node, reference)
    },
    setTemplateContent: (template, content) => {
      template.content = content
      stateOf(content).template = template
    },
    getTemplateContent: (template) => template.content as LeanNode,
    setDocumentType: () => {},
    setDocumentMode: (_document, value) => {
      mode = value
    },
    getDocumentMode: () => mode,
    detachNode(node) {
      step()
      detach(node)
    },
    insertText: (parent, text) => insertText(parent, text, undefined),
    insertTextBefore: (parent, text, reference) => insertText(parent, text, reference),
    adoptAttributes: (recipient, attrs) => {
      const known = new Set(recipient.attrs.map((attribute) => attribute.name))
      const added = attrs.filter((attribute) => !known.has(attribute.name))
      if (added.length > 0) recipient.attrs = [...recipient.attrs, ...added].slice(0, maxAttributes)
    },
    getFirstChild: (node) => node.first ?? null,
    getChildNodes: (node) => {
      const children: LeanNode[] = []
      for (let child = node.first; child; child = child.next) children.push(child)
      return children
    },
    getParentNode: (node) => node.parent ?? null,
    getAttrList: (node) => node.attrs,
    getTagName: (node) => node.tag,
    // Asked for each open element that an end tag or a start tag is compared with.
    getNamespaceURI(node) {
      step()
      return node.namespace as DefaultTreeAdapterMap['element']['namespaceURI']
    },
    getTextNodeContent: (node) => node.text,
    getCommentNodeContent: () => '',
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (node): node is LeanNode => node.type === LEAN_TEXT,
    isCommentNode: (node): node is LeanNode => node.type === LEAN_COMMENT,
    isDocumentTypeNode: (_node): _node is LeanNode => false,
    isElementNode: (node): node is LeanNode => node.type === LEAN_ELEMENT,
    setNodeSourceCodeLocation: () => {},
    getNodeSourceCodeLocation: () => null,
    updateNodeSourceCodeLocation: () => {},
  }
}

/** Whether an element is an HTML element (and not SVG or MathML). */
export function isHtmlElement(node: LeanNode): boolean {
  return node.type === LEAN_ELEMENT && node.namespace === HTML_NAMESPACE
}

export {
  append,
  detach,
  getAttribute,
  insertBefore,
  type LeanAttribute,
  LeanNode,
  type LeanState,
  LeanTree,
  leanElement,
  leanText,
  setAttribute,
  stateOf,
} from './lean-tree.ts'
