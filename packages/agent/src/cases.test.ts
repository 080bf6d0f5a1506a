import type { JsonObject } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import {
  assertValid,
  calls,
  flush,
  instantTool,
  manualTool,
  openWorld,
  readAll,
  resultsOf,
  scriptedModel,
  success,
  text,
  until,
} from './test/harness.ts'

const clearCart = { name: 'clear_cart', description: 'Empty the cart', risk: 'high', approval: 'executor' } as const

describe('waiting for the person (case 21)', () => {
  it('does not ask the model again and invents no result while the person decides for 70 s', async () => {
    const { session, model, clock } = await openWorld(
      scriptedModel(calls(['clear_cart']), text('Your cart is empty now.')),
    )
    const tool = manualTool(clearCart)
    session.tools.replace('page', [tool])
    const turn = session.say({ text: 'Empty my cart' })
    const events = readAll(turn)
    await clock.advance(70_000)
    expect(model.requests).toHaveLength(1)
    expect(tool.calls).toHaveLength(1)
    tool.calls[0]?.answer(success({ cleared: 3 }))
    const seen = await events
    expect(resultsOf(model.requests[1])).toEqual(['{"cleared":3}'])
    expect(seen.map((event) => event.type)).toEqual(['tool-call', 'tool-result', 'text-delta', 'end'])
  })

  it('ends an undecided call as expired and not executed, never as a success', async () => {
    const { session, model, clock } = await openWorld(scriptedModel(calls(['clear_cart']), text('Nobody decided.')))
    const tool = manualTool(clearCart)
    session.tools.replace('page', [tool])
    const events = readAll(session.say({ text: 'Empty my cart' }))
    await clock.advance(120_000)
    const result = (await events).find((event) => event.type === 'tool-result')
    expect(result?.outcome).toMatchObject({ type: 'failure', code: 'expired' })
    expect(tool.calls[0]?.call.signal.aborted).toBe(true)
    expect(resultsOf(model.requests[1])[0]).toContain('"executed":false')
  })
})

describe('a declined call (case 22)', () => {
  it('tells the model that the person declined and does not put the identical call again', async () => {
    const { session, model } = await openWorld(
      scriptedModel(
        calls(['clear_cart']),
        calls(['clear_cart']),
        text('All right.'),
        calls(['clear_cart']),
        text('Done.'),
      ),
    )
    const tool = manualTool(clearCart)
    session.tools.replace('page', [tool])
    const events = readAll(session.say({ text: 'Empty my cart' }))
    await flush()
    tool.calls[0]?.answer({ type: 'failure', code: 'denied', message: 'declined by user' })
    await events
    expect(tool.calls).toHaveLength(1)
    expect(resultsOf(model.requests[1])[0]).toMatch(/"status":"denied".*"by":"person".*"executed":false.*declined/)
    expect(resultsOf(model.requests[2])[1]).toContain('denied')
    const again = readAll(session.say({ text: 'Empty it after all' }))
    await flush()
    expect(tool.calls).toHaveLength(2)
    tool.calls[1]?.answer(success({ cleared: 3 }))
    await again
  })

  it('stops asking for a tool whose arguments the model only varies', async () => {
    const { session, page } = await openWorld(
      scriptedModel(...[1, 2, 3, 4].map((amount) => calls(['pay', { amount }])), text('All right.')),
    )
    session.tools.replace('page', [instantTool({ name: 'pay', risk: 'critical' })])
    const events = readAll(session.say({ text: 'Pay' }))
    for (let round = 0; round < 2; round += 1) {
      await until(() => page.asked.length > round)
      page.asked[round]?.decide({ approved: false })
    }
    await events
    expect(page.asked).toHaveLength(2)
  })
})

describe('a tool that goes while it is called (case 23)', () => {
  it('gives the model a result that names the tool as gone, and ignores the late one', async () => {
    const { session, model } = await openWorld(
      scriptedModel(calls(['search', { q: 'coat' }]), calls(['search', { q: 'coat' }]), text('You left the page.')),
    )
    const search = manualTool({ name: 'search' })
    session.tools.replace('page', [search])
    const events = readAll(session.say({ text: 'Find coats' }))
    await flush()
    session.tools.replace('page', [manualTool({ name: 'add_to_cart', risk: 'low' })])
    const seen = await events
    expect(resultsOf(model.requests[1])[0]).toMatch(/unavailable.*search is gone/)
    expect(resultsOf(model.requests[2])[1]).toMatch(/There is no tool search.*add_to_cart/)
    expect(search.calls).toHaveLength(1)
    search.calls[0]?.answer(success({ late: true }))
    await flush()
    expect(seen.at(-1)).toEqual({ type: 'end', reason: 'complete' })
    expect(JSON.stringify(model.requests)).not.toContain('late')
  })

  it('lets a call go on when the page declares the same tools again', async () => {
    const { session, model } = await openWorld(scriptedModel(calls(['search']), text('Found.')))
    const search = manualTool({ name: 'search' })
    session.tools.replace('page', [search])
    const events = readAll(session.say({ text: 'Find coats' }))
    await flush()
    session.tools.replace('page', [manualTool({ name: 'search' }), manualTool({ name: 'other' })])
    search.calls[0]?.answer(success({ hits: 2 }))
    await events
    expect(resultsOf(model.requests[1])).toEqual(['{"hits":2}'])
  })

  it('ends every open call when the session closes', async () => {
    const { session } = await openWorld(scriptedModel(calls(['search'])))
    const search = manualTool({ name: 'search' })
    session.tools.replace('page', [search])
    const events = readAll(session.say({ text: 'Find coats' }))
    await flush()
    session.close('test')
    expect((await events).at(-1)).toEqual({ type: 'end', reason: 'cancelled' })
    expect(search.calls[0]?.call.signal.aborted).toBe(true)
  })
})

describe('a message instead of a decision (case 24)', () => {
  for (const approval of ['executor', 'gate'] as const) {
    it(`withdraws the waiting call and goes on with the new words (${approval})`, async () => {
      const { session, model, page } = await openWorld(
        scriptedModel(calls(['clear_cart']), calls(['remove_item', { id: 'hat' }, 'm2']), text('The hat is out.')),
      )
      const clear = manualTool({ ...clearCart, approval })
      const remove = manualTool({ name: 'remove_item' })
      session.tools.replace('page', [clear, remove])
      const turn = session.say({ text: 'Empty my cart' })
      const events = readAll(turn)
      await until(() => clear.calls.length + page.asked.length > 0)
      const second = session.say({ text: 'No, only the hat' })
      expect(second).toBe(turn)
      await until(() => remove.calls.length > 0)
      clear.calls[0]?.answer(success({ cleared: 3 }))
      page.asked[0]?.decide({ approved: true })
      remove.calls[0]?.answer(success({ removed: 'hat' }))
      const seen = await events
      expect(await readAll(second)).toEqual([])
      for (const request of model.requests) assertValid(request.messages)
      const last = model.requests[1]?.messages.at(-1)
      expect(last).toMatchObject({ role: 'user', parts: [{ text: 'No, only the hat' }] })
      expect(resultsOf(model.requests[2])).toEqual([expect.stringContaining('cancelled'), '{"removed":"hat"}'])
      expect(clear.calls).toHaveLength(approval === 'gate' ? 0 : 1)
      expect(seen.filter((event) => event.type === 'end')).toHaveLength(1)
    })
  }
})

describe('names and arguments (cases 26 and 27)', () => {
  it('offers only names every provider accepts, all different, and calls the page by its own name', async () => {
    const names = [
      'cart.add',
      'cart add',
      'warenkorb leeren ä',
      'x'.repeat(80),
      `${'x'.repeat(80)}y`,
      'カート',
      'корзина',
      'cart_add',
    ]
    const { session, model } = await openWorld(
      scriptedModel((request) => {
        const offered = request.tools.find((tool) => tool.description.includes('The tool cart.add'))
        return (async function* () {
          yield* calls([offered?.name ?? ''])
        })()
      }, text('Done.')),
    )
    const tools = names.map((name) => manualTool({ name }))
    session.tools.replace('page', tools)
    const events = readAll(session.say({ text: 'Add it' }))
    await flush()
    tools[0]?.calls[0]?.answer(success({}))
    const seen = await events
    const offered = model.requests[0]?.tools.map((tool) => tool.name) ?? []
    expect(new Set(offered).size).toBe(names.length)
    for (const name of offered) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(seen.find((event) => event.type === 'tool-call')?.name).toBe('cart.add')
  })

  it('gives back unreadable arguments as a value and executes nothing', async () => {
    const { session, model } = await openWorld(
      scriptedModel(
        [
          { type: 'tool-call', callId: 'm1', name: 'add', args: '{"q', invalid: 'Unexpected end of JSON input' },
          { type: 'finish', reason: 'tool-calls' },
        ],
        text('Sorry.'),
      ),
    )
    const add = manualTool({ name: 'add' })
    session.tools.replace('page', [add])
    await readAll(session.say({ text: 'Add' }))
    expect(add.calls).toHaveLength(0)
    expect(resultsOf(model.requests[1])[0]).toContain('invalid_arguments')
    for (const message of model.requests[1]?.messages ?? []) {
      if (message.role === 'assistant') expect(message.parts[0]).toMatchObject({ type: 'tool-call', args: {} })
    }
  })

  it('mends a number that came as text and fills defaults before anybody is asked', async () => {
    const { session, page } = await openWorld(scriptedModel(calls(['add', { quantity: '2' }]), text('Added.')))
    const add = manualTool({
      name: 'add',
      risk: 'high',
      parameters: {
        type: 'object',
        properties: { quantity: { type: 'NUMBER', minimum: 1 }, size: { type: 'string', default: 'M' } },
        required: ['quantity'],
      },
    })
    session.tools.replace('page', [add])
    const events = readAll(session.say({ text: 'Add two' }))
    await until(() => page.asked.length > 0)
    expect(page.asked[0]?.request.args).toEqual({ quantity: 2, size: 'M' })
    page.asked[0]?.decide({ approved: true })
    await until(() => add.calls.length > 0)
    expect(add.calls[0]?.args).toEqual({ quantity: 2, size: 'M' })
    add.calls[0]?.answer({ ...success({}), ticket: add.calls[0].call.ticket ?? '' })
    await events
  })

  it('never prompts for arguments that are not valid', async () => {
    const { session, page, model } = await openWorld(scriptedModel(calls(['add', { quantity: 0 }]), text('No.')))
    session.tools.replace('page', [
      instantTool({
        name: 'add',
        risk: 'critical',
        parameters: { type: 'object', properties: { quantity: { type: 'number', minimum: 1 } } },
      }),
    ])
    await readAll(session.say({ text: 'Add none' }))
    expect(page.asked).toHaveLength(0)
    expect(resultsOf(model.requests[1])[0]).toContain('must be >= 1')
  })
})

describe('too big (case 28)', () => {
  const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length
  /** A request as an OpenAI-style endpoint gets it: results as text, outcomes nowhere. */
  const asSent = (request: unknown): number =>
    bytes(
      JSON.parse(JSON.stringify(request, (key, value) => (key === 'outcome' || key === 'context' ? undefined : value))),
    )

  it('cuts a result of 30,000 rows and a context of 2 MB so that no request is over 200,000 bytes', async () => {
    const { session, model } = await openWorld(
      scriptedModel(
        calls(['export_rows']),
        text('Many rows.'),
        text('Fine.'),
        calls(['export_rows'], ['export_rows', {}, 'm2']),
        text('.'),
      ),
    )
    const row = { id: 17, name: 'Row of the long table', note: 'abcdefghij' }
    const rows = Array.from({ length: 30_000 }, () => row)
    session.tools.replace('page', [instantTool({ name: 'export_rows' }, { type: 'success', value: rows })])
    await readAll(session.say({ text: 'Summarise the table' }))
    const shown = resultsOf(model.requests[1])[0] ?? ''
    expect(shown).toMatch(/\d+ of 30000 rows left out/)
    const kept: unknown = JSON.parse(shown.slice(0, shown.indexOf('\n')))
    expect(Array.isArray(kept) && kept.length > 100).toBe(true)
    expect(session.setContext('page', { url: '/t', data: { big: 'z'.repeat(2_000_000) } }).cutBytes).toBeGreaterThan(
      1_900_000,
    )
    await readAll(session.say({ text: 'And now?' }))
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('characters left out')
    await readAll(session.say({ text: 'Both again' }))
    for (const request of model.requests) {
      expect(asSent(request)).toBeLessThan(200_000)
      assertValid(request.messages)
    }
  })

  it('keeps within the bound with text that is all quotes and with sixteen large results at once', async () => {
    const nasty = '"\\"'.repeat(100_000)
    const many = Array.from({ length: 16 }, (_, index): [string, JsonObject, string] => ['dump', {}, `m${index}`])
    const script = calls(...many)
    const { session, model } = await openWorld(scriptedModel(script, calls(['dump', {}, 'z']), text('.')))
    session.tools.replace('page', [
      instantTool({ name: 'dump' }, { type: 'success', value: { nasty, list: [nasty, nasty] } }),
    ])
    session.setContext('page', {
      title: nasty,
      url: nasty,
      data: { nasty, more: Array(3_000).fill(nasty.slice(0, 60)) },
    })
    await readAll(session.say({ text: 'Dump' }))
    expect(model.requests).toHaveLength(3)
    for (const request of model.requests) expect(asSent(request)).toBeLessThan(200_000)
  })
})
