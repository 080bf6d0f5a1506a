import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type ClosedRoots, openDebugger } from '../e2e/closed-root.ts'

/** What a person sees of a task list, whatever it is made with. Complaints of the page's console are kept. */
export class TasksPage {
  readonly page: Page
  readonly dialog: ClosedRoots
  readonly complaints: string[] = []

  private constructor(page: Page, dialog: ClosedRoots) {
    this.page = page
    this.dialog = dialog
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text())
    })
  }

  static async open(browser: Browser, url: string): Promise<TasksPage> {
    const page = await browser.newPage()
    const tasks = new TasksPage(page, await openDebugger(page))
    await page.goto(url)
    await page.getByText('Connection: connected').waitFor()
    return tasks
  }

  async say(text: string): Promise<void> {
    await this.page.getByLabel('Message').fill(text)
    await this.page.getByRole('button', { name: 'Send' }).click()
  }

  async items(): Promise<readonly string[]> {
    return (await this.page.locator('ul li').allTextContents()).map((text) => text.trim())
  }

  async becomes(items: readonly string[]): Promise<void> {
    await expect.poll(() => this.items(), { timeout: 10_000 }).toEqual(items)
  }
}

/** The story that each example tells: an agent adds, is refused, and clears after a real press. */
export async function checkTasks(tasks: TasksPage): Promise<void> {
  const { page, dialog } = tasks
  await tasks.say('add task milk')
  await tasks.becomes(['milk'])
  await expect.poll(() => page.locator('output').textContent(), { timeout: 10_000 }).not.toBe('')
  await page.getByLabel('Title of the task').fill('tea')
  await page.getByRole('button', { name: 'Add' }).click()
  await tasks.becomes(['milk', 'tea'])

  await tasks.say('clear all tasks')
  await dialog.press('deny')
  await page.getByText('Connection: connected').waitFor()
  await tasks.becomes(['milk', 'tea'])

  await tasks.say('clear all tasks')
  await dialog.armed()
  await dialog.press('approve')
  await tasks.becomes([])
  await page.getByText('Connection: connected').waitFor()
  expect(tasks.complaints).toEqual([])
}
