import type { Pristine } from './pristine.ts'
import { visiblePieces } from './visible-text.ts'

/** What an element may hold. */
export type Child = Node | string | false | undefined | readonly (Node | string | undefined)[]

/** Builds elements with pristine functions only: no reference passes through anything the page could have patched. */
export type Builder = (tag: string, attributes: Readonly<Record<string, string>>, ...children: Child[]) => HTMLElement

/** Makes a {@link Builder}. */
export function createBuilder(dom: Pristine): Builder {
  function add(parent: HTMLElement, child: Child): void {
    if (child === undefined || child === false) return
    if (typeof child === 'string') {
      const holder = dom.create('span')
      dom.setText(holder, child)
      dom.appendChild(parent, holder)
    } else if (Array.isArray(child)) {
      // Counting, because an iterator of the page would be handed every element.
      for (let index = 0; index < child.length; index += 1) add(parent, child[index] as Child)
    } else {
      dom.appendChild(parent, child as Node)
    }
  }
  return function build(tag, attributes, ...children) {
    const element = dom.create(tag)
    for (const name in attributes) dom.setAttribute(element, name, attributes[name] as string)
    add(element, children as Child)
    return element
  }
}

/** Maps a list without the list's own methods, which the page may have patched. */
export function each<T>(list: readonly T[], make: (entry: T) => Node): Node[] {
  const made: Node[] = []
  for (let index = 0; index < list.length; index += 1) made[index] = make(list[index] as T)
  return made
}

/** Foreign text: isolated from what stands around it, with nothing in it unseen. */
export function foreignText(build: Builder, text: string): HTMLElement {
  const pieces = each(visiblePieces(text), ({ type, text: piece }) =>
    build('span', type === 'mark' ? { class: 'mark' } : {}, piece),
  )
  return build('bdi', { class: 'foreign' }, pieces)
}
