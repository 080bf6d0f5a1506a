/** Methods that change nothing, so that asking again needs no idempotency key. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'awp.hello',
  'awp.ping',
  'awp.cancel',
  'session.list',
  'session.attach',
  'session.export',
  'session.cookies.get',
  'page.list',
  'page.observe',
  'page.subscribe',
  'page.wait_for',
  'page.extract',
  'page.downloads.list',
  'page.downloads.get',
  'page.screenshot',
  'skills.list',
])

/** Whether a request may be sent twice without doing something twice. */
export function isRepeatable(method: string): boolean {
  return REPEATABLE.has(method)
}
