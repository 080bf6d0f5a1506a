import type { JsonObject, JsonValue } from '@domos/spec'
import type { ChromiumPage } from '../page/page.ts'
import type { ChromiumContext } from './context.ts'

/** Web storage by origin, as far as pages are open that can read it; the rest stays as it was known. */
export async function exportStorage(pages: readonly ChromiumPage[], known: JsonObject): Promise<JsonObject> {
  const storage: Record<string, JsonValue> = { ...known }
  for (const page of pages) {
    const found = await page.storage().catch(() => undefined)
    if (found === undefined) continue
    const isEmpty = Object.keys(found.local).length + Object.keys(found.session).length === 0
    const { origin } = new URL(page.state().url)
    if (isEmpty) delete storage[origin]
    else storage[origin] = { local: found.local, session: found.session }
  }
  return storage
}

/** Puts web storage in place: on a blank page of each origin that never reaches the network. */
export async function importStorage(context: ChromiumContext, storage: JsonObject): Promise<void> {
  const origins = Object.entries(storage).filter(([origin]) => /^https?:\/\//.test(origin))
  if (origins.length === 0) return
  const page = await context.openPage()
  try {
    await page.answeringBlank(async () => {
      for (const [origin, value] of origins) {
        const { local = {}, session = {} } = (value ?? {}) as { local?: JsonObject; session?: JsonObject }
        await page.navigate({ url: `${origin}/` }, AbortSignal.timeout(10_000))
        await page.setStorage(texts(local), texts(session))
      }
    })
  } finally {
    await page.close()
  }
}

function texts(values: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
