import type { DomosError, Primitive, Target } from '@domos/spec'
import type { Follow } from '../document/follow.ts'
import { PageModel } from '../document/page-model.ts'

/** A document and short ways to act on it by what a person would call things. */
export function open(html: string, url = 'http://shop.example/form', encoding = 'utf-8') {
  const model = new PageModel({ width: 1_280, height: 720 })
  model.load({ html, url, encoding, status: 200, htmlBytes: html.length })
  const find = (target: string | NonNullable<Target['query']>): string =>
    model.resolve({ query: typeof target === 'string' ? { label: target } : target }).elementId
  const act = (type: Primitive['type'], target: string | NonNullable<Target['query']>, more: object = {}) =>
    model.act({ type, elementId: find(target), ...more } as Primitive)
  return {
    model,
    find,
    act,
    click: (target: string | NonNullable<Target['query']>) => act('click', target),
    type: (target: string | NonNullable<Target['query']>, text: string, replace = true) =>
      act('type', target, { text, replace }),
    state: (target: string | NonNullable<Target['query']>) => model.element(find(target)),
  }
}

/** What a submission sends, as text. */
export function sent(follow: Follow | undefined): { method: string; url: string; body: string; contentType: string } {
  if (follow?.type !== 'navigate') throw new Error('nothing was submitted')
  return {
    method: follow.method,
    url: follow.url,
    body: Buffer.from(follow.body ?? new Uint8Array()).toString('latin1'),
    contentType: follow.contentType ?? '',
  }
}

/** The details of the error that `task` throws. */
export function refusal(task: () => unknown): {
  readonly code: string
  readonly message: string
  readonly details: DomosError['details']
} {
  try {
    task()
  } catch (thrown) {
    const { code, message, details } = thrown as DomosError
    return { code, message, details }
  }
  throw new Error('nothing was refused')
}
