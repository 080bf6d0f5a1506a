import type { ToolDeclaration } from '@domos/spec'
import { expect, it } from 'vitest'
import { type MadeCall, openTalk } from '../talk.ts'
import { HOME_SENTENCES, HOME_TOOLS } from './home.ts'
import { MAIL_SENTENCES, MAIL_TOOLS } from './mail.ts'
import type { Sentence } from './sentence.ts'
import { SHOP_SENTENCES, SHOP_TOOLS } from './shop.ts'

const CONTACTS = [{ name: 'Nadia Brandt', email: 'nadia@brandt.example' }]

async function isRight(
  sentence: Sentence,
  tools: readonly ToolDeclaration[],
): Promise<{ right: boolean; calls: readonly MadeCall[]; text: string }> {
  const context = sentence.contacts
    ? { ...sentence.context, data: { ...sentence.context.data, contacts: CONTACTS } }
    : sentence.context
  const talk = openTalk({
    tools,
    context,
    run: (name) => ({ type: 'success', value: sentence.results?.[name] ?? { ok: true } }),
  })
  const calls: MadeCall[] = []
  let text = ''
  for (const utterance of sentence.say) {
    const answer = await talk.say(utterance)
    calls.push(...answer.calls)
    text = answer.text
  }
  return { right: canonical(calls) === canonical(sentence.calls), calls, text }
}

function canonical(calls: readonly MadeCall[]): string {
  return JSON.stringify(calls.map((call) => [call.name, Object.entries(call.args as object).sort()]))
}

async function count(sentences: readonly Sentence[], tools: readonly ToolDeclaration[]): Promise<number> {
  let right = 0
  for (const sentence of sentences) {
    const result = await isRight(sentence, tools)
    if (result.right) right++
    else if (process.env.DOMOS_SHOW_MISSES)
      console.log(`${sentence.say.join(' / ')}\n   ${JSON.stringify(result.calls)}\n   ${result.text.slice(0, 160)}`)
  }
  return right
}

it('has sixty sentences, twenty for each set of tools', () => {
  expect([SHOP_SENTENCES.length, MAIL_SENTENCES.length, HOME_SENTENCES.length]).toEqual([20, 20, 20])
})

it('gets no fewer right than the published first figure, 48 of 60', async () => {
  const shop = await count(SHOP_SENTENCES, SHOP_TOOLS)
  const mail = await count(MAIL_SENTENCES, MAIL_TOOLS)
  const home = await count(HOME_SENTENCES, HOME_TOOLS)
  expect(shop + mail + home).toBeGreaterThanOrEqual(48)
})
