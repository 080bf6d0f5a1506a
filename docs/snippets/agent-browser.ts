import { connectAwp } from '@domos/awp/client'

/** Reads a page, fills its form and says what came of it. */
export async function buy(endpoint: string, shop: string): Promise<string> {
  const client = await connectAwp(endpoint) // ws://localhost:3000/awp
  const session = await client.createSession({ ttlMs: 600_000 })
  const page = await session.createPage({ url: shop })

  const { text } = await page.outline({ maxTokens: 2_000 }) // "# Cart", "[5 button Go]"
  await page.act({ action: 'semantic.fill_form', value: { Name: 'Ada', Country: 'Peru' } })
  const sent = await page.click({ query: { role: 'button', text: 'Go' } })

  const { data } = await page.extract({ queries: { answer: { query: { role: 'heading', level: 1 } } } })
  await session.close()
  client.close()
  return `${text.split('\n')[0]} · ${sent.effects.navigation} · ${(data as { answer: string }).answer}`
}
