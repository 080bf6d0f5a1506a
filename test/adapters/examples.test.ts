import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { launchChromium } from '../e2e/browser.ts'
import { openSite, type Site } from './site.ts'
import { checkTasks, TasksPage } from './tasks-page.ts'

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
}, 60_000)
afterAll(() => browser?.close())

describe.each(['react', 'vue', 'svelte', 'angular'])('the task list in %s', (name) => {
  let directory: string
  let site: Site

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), `domos-tasks-${name}-`))
    const root = fileURLToPath(new URL(`../../examples/tasks-${name}`, import.meta.url))
    await build({ root, logLevel: 'error', build: { outDir: directory, emptyOutDir: true } })
    site = await openSite(async (path) => {
      const file = path === '/' ? '/index.html' : path
      const body = await readFile(join(directory, file), 'utf8').catch(() => undefined)
      return body === undefined
        ? undefined
        : { body, ...(TYPES[extname(file)] && { type: TYPES[extname(file)] ?? '' }) }
    })
  }, 120_000)

  afterAll(async () => {
    await site?.close()
    await rm(directory, { recursive: true, force: true })
  })

  it('is worked on by a person and an agent together', async () => {
    const tasks = await TasksPage.open(browser, `${site.origin}/`)
    await checkTasks(tasks)
    await tasks.page.close()
  }, 60_000)
})
