import type { ChromiumPage } from '../page/page.ts'

const MEGABYTE = 1_048_576

/**
 * Keeps the pages of a session under the heap it asked for (`max_js_heap_mb`), array buffers included. A page that is busy
 * answers late; what the browser as a whole allows holds meanwhile. Gives the function that stops it.
 */
export function watchHeaps(
  maxMb: number | undefined,
  intervalMs: number,
  pages: () => Iterable<ChromiumPage>,
): () => void {
  if (maxMb === undefined) return () => {}
  const asked = new WeakSet<ChromiumPage>()
  const look = async (page: ChromiumPage): Promise<void> => {
    if (asked.has(page)) return
    asked.add(page)
    try {
      const { usedSize, backingStorageSize } = await page.session.send('Runtime.getHeapUsage')
      if ((usedSize + backingStorageSize) / MEGABYTE > maxMb) {
        await page.end(`the page used more than the ${maxMb} MB of script heap its session has`)
      }
    } catch {
      // The page is gone, which is what this is about.
    } finally {
      asked.delete(page)
    }
  }
  const timer = setInterval(() => {
    for (const page of [...pages()]) void look(page)
  }, intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
