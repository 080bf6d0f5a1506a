import type { Door } from '@domos/spec'

/** Where a running server is reached, for people and for the ready line. Lists only what is built and on. */
export function serverUrls(
  at: { readonly address: string; readonly port: number; readonly isTls: boolean },
  doors: readonly Pick<Door, 'name' | 'paths'>[],
  pages: { readonly console: boolean; readonly demo: boolean },
): Readonly<Record<string, string>> {
  const host = displayHost(at.address)
  const suffix = at.isTls ? 's' : ''
  const urls: Record<string, string> = {}
  for (const door of doors) urls[door.name] = `ws${suffix}://${host}:${at.port}${door.paths[0]}`
  if (pages.console) urls['console'] = `http${suffix}://${host}:${at.port}/`
  if (pages.demo) urls['demo'] = `http${suffix}://${host}:${at.port}/demo/`
  return urls
}

function displayHost(address: string): string {
  if (address === '127.0.0.1' || address === '::1' || address === '0.0.0.0' || address === '::') return 'localhost'
  return address.includes(':') ? `[${address}]` : address
}

const NAMES: Readonly<Record<string, string>> = {
  demo: 'Demo shop',
  console: 'Console',
  adtp: 'Page door (ADTP)',
  voice: 'Voice door',
  awp: 'Browser door (AWP)',
}

/** One line per URL, what a person wants first. */
export function urlLines(urls: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(NAMES)
    .filter((key) => urls[key] !== undefined)
    .map((key) => `  ${(NAMES[key] ?? key).padEnd(20)} ${urls[key]}`)
}
