import { ariaName, contentText, labelText, nativeAlternative, referencedText, tidy } from './accessible-name.ts'
import { readAttributes, readOptions } from './attributes.ts'
import type { ElementModelInput } from './element-input.ts'
import { hintsOf } from './hints.ts'
import type { ModelElement, ModelRegion } from './model.ts'
import { roleActions } from './roles.ts'
import type { ElementRole, SomOption } from './som.ts'

/** Makes the model element of a node with everything its own markup and live state say; text comes later. */
export function buildElement<N extends object>(
  input: ElementModelInput<N>,
  region: ModelRegion<N>,
  path: string,
): ModelElement<N> {
  const { tree, node, role } = input
  const className = tree.attribute(node, 'class')
  const htmlId = tree.attribute(node, 'id')
  const element: ModelElement<N> = {
    id: '',
    role,
    node,
    path,
    region,
    interactive: roleActions[role] !== undefined,
    actions: roleActions[role],
    text: '',
    label: '',
    htmlId: htmlId === undefined || htmlId === '' ? undefined : htmlId,
    attrs: readAttributes(input),
    hints: className === undefined ? undefined : hintsOf(className),
    options: undefined,
    items: undefined,
    headers: undefined,
    spans: undefined,
    inside: undefined,
    item: undefined,
    heading: undefined,
    scope: input.scope,
    ext: input.ext,
    order: 0,
    alias: 0,
    line: undefined,
    dead: false,
  }
  if (role === 'select' && input.tag === 'select') addOptions(input, element)
  return element
}

/** An element without markup of its own: a run of text between blocks. */
export function buildTextElement<N extends object>(
  role: ElementRole,
  node: N,
  region: ModelRegion<N>,
  path: string,
  input: Pick<ElementModelInput<N>, 'scope'>,
): ModelElement<N> {
  return {
    id: '',
    role,
    node,
    path,
    region,
    interactive: false,
    actions: undefined,
    text: '',
    label: '',
    htmlId: undefined,
    attrs: {},
    hints: undefined,
    options: undefined,
    items: undefined,
    headers: undefined,
    spans: undefined,
    inside: undefined,
    item: undefined,
    heading: undefined,
    scope: input.scope,
    ext: {},
    order: 0,
    alias: 0,
    line: undefined,
    dead: false,
  }
}

function addOptions<N extends object>(input: ElementModelInput<N>, element: ModelElement<N>): void {
  const { options, selected } = readOptions(input.tree, input.node)
  if (input.isSecret(input.node) || element.ext.value_state !== undefined) {
    element.options = options.map(({ selected: _hidden, ...option }): SomOption => option)
    element.ext.value_state = selected.some((value) => value !== '') ? 'filled' : 'empty'
    return
  }
  element.options = options
  if (element.attrs['multiple'] === true) element.attrs['selected_values'] = selected
}

/** Names a form control: aria, its labels, native alternative, title, placeholder. */
export function nameControl<N extends object>(input: ElementModelInput<N>, element: ModelElement<N>): void {
  const { tree, node, tag, scope } = input
  const context = { tree, scope }
  let label = ariaName(context, node) || labelText(context, node, tree.attribute(node, 'id'))
  if (element.role === 'button') element.text = (tag === 'input' ? nativeAlternative(context, node) : undefined) ?? ''
  if (label === '' && tag !== 'input' && (element.role === 'checkbox' || element.role === 'radio')) {
    label = contentText(context, node)
  }
  const title = tidy(tree.attribute(node, 'title') ?? '')
  if (label === '' && element.text === '') {
    label = title || tidy(tree.attribute(node, 'placeholder') ?? tree.attribute(node, 'aria-placeholder') ?? '')
  }
  finishName(input, element, label, title)
}

/** Names an element whose text is known: aria, content where it holds more than text, native alternative, title. */
export function nameFromContent<N extends object>(
  input: ElementModelInput<N>,
  element: ModelElement<N>,
  hasMoreThanText: boolean,
): void {
  const { tree, node, scope } = input
  const context = { tree, scope }
  let label = ariaName(context, node)
  if (label === '' && input.tag === 'button') label = labelText(context, node, tree.attribute(node, 'id'))
  if (label === '' && hasMoreThanText) label = contentText(context, node)
  if (label === '' && element.text === '') label = nativeAlternative(context, node) ?? ''
  const title = tidy(tree.attribute(node, 'title') ?? '')
  if (label === '' && element.text === '') label = title
  if (label === '' && element.text === '' && element.role === 'link') {
    label = stemOf(String(element.attrs['href'] ?? ''))
    if (label !== '') element.ext.name_from = 'href'
  }
  finishName(input, element, label, title)
}

/** Names elements that only aria and title can name. */
export function nameFromAria<N extends object>(input: ElementModelInput<N>, element: ModelElement<N>): void {
  const { tree, node, scope } = input
  const title = tidy(tree.attribute(node, 'title') ?? '')
  finishName(input, element, ariaName({ tree, scope }, node) || (element.text === '' ? title : ''), title)
}

function finishName<N extends object>(
  input: ElementModelInput<N>,
  element: ModelElement<N>,
  label: string,
  title: string,
): void {
  const { tree, node, scope } = input
  element.label = label === element.text ? '' : label
  if (title !== '' && title !== label && title !== element.text) element.attrs['title'] = title
  const described = tree.attribute(node, 'aria-describedby')
  const description =
    (described === undefined ? '' : referencedText({ tree, scope }, described)) ||
    tidy(tree.attribute(node, 'aria-description') ?? '')
  if (description !== '') element.attrs['description'] = description
}

/** Last step of a URL's path without its extension, as words; '' when that says nothing. */
export function stemOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] as string
  const last =
    path
      .split('/')
      .filter((step) => step !== '')
      .at(-1) ?? ''
  const stem = last.replace(/\.[a-z\d]{1,5}$/i, '').replace(/[-_+]+/g, ' ')
  return /\p{L}/u.test(stem) && stem.length <= 80 && !/^(?:javascript|mailto|data):/i.test(url) ? stem.trim() : ''
}
