import { DomOSClient } from '@domos/core'
import type { ContractCase } from '@domos/testing/adapter'
import { discover } from '../index.ts'

/** A page of this HTML, its tools as they were discovered, and what was complained about. */
interface Scene {
  readonly client: DomOSClient
  readonly box: HTMLElement
  readonly problems: readonly string[]
  find<E extends Element = HTMLInputElement>(selector: string): E
  schema(tool: string): unknown
  /** Calls a tool; a refusal gives its sentence. */
  call(tool: string, args?: object): Promise<unknown>
  /** Waits until the page's changes are noticed. */
  noticed(): Promise<void>
}

const on = (title: string, html: string, check: (scene: Scene) => Promise<void>): ContractCase => ({
  title,
  async run() {
    const client = new DomOSClient({
      endpoint: 'ws://tasks.test/adtp',
      approvals: 'custom-unsafe',
      approver: { ask: async () => ({ approved: true }) },
      transport: () => new Promise(() => {}),
    })
    const box = document.body.appendChild(document.createElement('div'))
    box.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes)
    const problems: string[] = []
    const stop = discover(client, { root: box, onProblem: (sentence) => problems.push(sentence) })
    try {
      await check({
        ...{ client, box, problems },
        find: <E extends Element>(selector: string) => box.querySelector(selector) as E,
        schema: (tool) => client.registeredTools.find(({ name }) => name === tool)?.parameters,
        call: (tool, args = {}) => client.callTool(tool, { ...args }).catch((error: Error) => error.message),
        noticed: async () => {
          for (let turn = 0; turn < 5; turn += 1) await new Promise((next) => setTimeout(next, 0))
        },
      })
    } finally {
      stop()
      box.remove()
      same([client.toolCount, client.getContext()], [0, {}])
      client.destroy()
    }
  },
})

function same(found: unknown, wanted: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (left !== right) throw new Error(`It should be ${right}, and is ${left}.`)
}

function has(found: unknown, part: string): void {
  if (!String(found).includes(part)) throw new Error(`It should contain "${part}", and is ${JSON.stringify(found)}.`)
}

const names = ({ client }: Scene) => client.registeredTools.map(({ name }) => name)

/** What attributes and forms do. */
export const cases: readonly ContractCase[] = [
  on(
    'a button becomes a tool that presses it, described by its own words, with its risk',
    '<button data-domos-tool="clear" data-domos-risk="high"> Clear  all </button>',
    async ({ client, call, find }) => {
      let pressed = 0
      find('button').addEventListener('click', () => void (pressed += 1))
      same(client.registeredTools, [{ name: 'clear', description: 'Clear all', risk: 'high' }])
      same(await call('clear'), { done: 'click' })
      same(pressed, 1)
    },
  ),
  on(
    'a button that is disabled or inert is not pressed, and the model is told',
    '<button disabled data-domos-tool="one">One</button><div inert><button data-domos-tool="two">Two</button></div><button aria-disabled="true" data-domos-tool="three">Three</button>',
    async ({ call }) => {
      for (const name of ['one', 'two', 'three']) has(await call(name), 'cannot be used now')
    },
  ),
  on(
    'the page names the target; arguments never select one',
    '<button id="safe">Safe</button><button id="other">Other</button><i data-domos-tool="press" data-domos-target="#safe" data-domos-description="Presses"></i>',
    async ({ call, find }) => {
      const pressed: string[] = []
      for (const id of ['safe', 'other']) find(`#${id}`).addEventListener('click', () => pressed.push(id))
      await call('press', { selector: '#other', target: '#other' })
      same(pressed, ['safe'])
      find('#safe').remove()
      has(await call('press'), 'no #safe now')
      same(pressed, ['safe'])
    },
  ),
  on(
    'show, hide, focus and scrollIntoView do that',
    '<p id="more" hidden>More</p><input id="field"><b data-domos-tool="show" data-domos-action="show" data-domos-target="#more">Show</b><b data-domos-tool="hide" data-domos-action="hide" data-domos-target="#more">Hide</b><b data-domos-tool="focus" data-domos-action="focus" data-domos-target="#field">Focus</b><b data-domos-tool="scroll" data-domos-action="scrollIntoView" data-domos-target="#field">Scroll</b>',
    async ({ call, find }) => {
      await call('show')
      same(find('#more').hidden, false)
      await call('hide')
      same(find('#more').hidden, true)
      await call('focus')
      same(document.activeElement === find('#field'), true)
      let scrolled = 0
      find('#field').scrollIntoView = () => void (scrolled += 1)
      await call('scroll')
      same(scrolled, 1)
    },
  ),
  on(
    'a form becomes a tool whose schema is read from its controls',
    `<form data-domos-tool="add_task" data-domos-description="Adds a task">
      <label>Title <input name="title" required maxlength="40" pattern="[A-Z].*"></label>
      <label>How many <input name="count" type="number" min="1" max="9"></label>
      <label>Price <input name="price" type="number" step="0.01"></label>
      <label>Mail <input name="mail" type="email"></label>
      <label>Day <input name="day" type="date"></label>
      <select name="list" aria-label="List"><option value="home">At home<option value="work">At work<option disabled value="gone">Gone</select>
      <label><input type="checkbox" name="urgent"> Urgent</label>
      <fieldset><legend>Colour</legend><input type="radio" name="colour" value="red"><input type="radio" name="colour" value="blue"></fieldset>
      <fieldset><legend>Tags</legend><input type="checkbox" name="tag" value="a"><input type="checkbox" name="tag" value="b"></fieldset>
      <textarea name="note" placeholder="A note"></textarea>
      <input type="password" name="secret"><input type="file" name="file"><input type="hidden" name="token" value="t"><input name="off" disabled>
      <button>Add</button></form>`,
    async ({ schema }) => {
      const text = { type: 'string' }
      same(schema('add_task'), {
        type: 'object',
        properties: {
          title: { ...text, pattern: '^(?:[A-Z].*)$', minLength: 1, maxLength: 40, description: 'Title' },
          count: { type: 'integer', minimum: 1, maximum: 9, description: 'How many' },
          price: { type: 'number', description: 'Price' },
          mail: { ...text, format: 'email', description: 'Mail' },
          day: { ...text, format: 'date', description: 'Day' },
          list: { ...text, enum: ['home', 'work'], description: 'List' },
          urgent: { type: 'boolean', description: 'Urgent' },
          colour: { ...text, enum: ['red', 'blue'], description: 'Colour' },
          tag: { type: 'array', items: { ...text, enum: ['a', 'b'] }, uniqueItems: true, description: 'Tags' },
          note: { ...text, description: 'A note' },
        },
        required: ['title'],
        additionalProperties: false,
      })
    },
  ),
  on(
    'a form is filled in and submitted with its button, and listeners notice each value',
    `<form data-domos-tool="add" data-domos-description="Adds">
      <input name="title" required><input type="checkbox" name="urgent"><select name="list"><option value="home">At home<option value="work">At work</select>
      <button name="how" value="now">Add</button></form>`,
    async ({ call, find }) => {
      const seen: unknown[] = []
      find('form').addEventListener('submit', (event) => {
        event.preventDefault()
        const submitter = (event as SubmitEvent).submitter
        seen.push([...new FormData(find<HTMLFormElement>('form'), submitter).entries()])
      })
      const inputs: string[] = []
      find('form').addEventListener('input', ({ target }) => inputs.push((target as HTMLInputElement).name))
      same(await call('add', { title: 'Milk', urgent: true, list: 'At work' }), { submitted: true })
      same(seen, [
        [
          ['title', 'Milk'],
          ['urgent', 'on'],
          ['list', 'work'],
          ['how', 'now'],
        ],
      ])
      same(inputs.includes('title') && inputs.includes('list'), true)
    },
  ),
  on(
    'a form that would not be submitted says why, and submits nothing',
    `<form data-domos-tool="add" data-domos-description="Adds"><label>Mail <input name="mail" type="email" required></label>
      <select name="list"><option>home</select><label>Secret <input type="password" name="secret" required></label><button>Add</button></form>`,
    async ({ call, find }) => {
      let submitted = 0
      find('form').addEventListener('submit', (event) => {
        event.preventDefault()
        submitted += 1
      })
      has(await call('add', { mail: 'nobody' }), 'Mail')
      has(await call('add', { mail: 'a@b.test', list: 'moon' }), 'no choice "moon"')
      has(await call('add', { mail: 'a@b.test', secret: 'x' }), 'no field "secret"')
      has(await call('add', { mail: 'a@b.test' }), 'Secret')
      same([submitted, find('[name=secret]').value], [0, ''])
    },
  ),
  on(
    'setValue takes what the control takes; what it refuses leaves it as it was',
    `<label>Count <input id="count" type="number" min="1" max="9" value="2"></label><input id="secret" type="password" value="x">
      <b data-domos-tool="set_count" data-domos-action="setValue" data-domos-target="#count">Sets the count</b>
      <b data-domos-tool="set_secret" data-domos-action="setValue" data-domos-target="#secret">Sets the secret</b>`,
    async ({ call, find, schema }) => {
      same(schema('set_count'), {
        type: 'object',
        properties: { value: { type: 'integer', minimum: 1, maximum: 9, description: 'Count' } },
        required: ['value'],
      })
      same(await call('set_count', { value: 5 }), { value: '5' })
      has(await call('set_count', { value: 50 }), 'Count')
      same(find('#count').value, '5')
      has(await call('set_secret', { value: 'y' }), 'nothing that an agent may fill in')
      same(find('#secret').value, 'x')
    },
  ),
  on('the page is followed: elements that come, change and go', '<ul></ul>', async (scene) => {
    const { box, find, noticed } = scene
    const button = document.createElement('button')
    button.setAttribute('data-domos-tool', 'open')
    button.textContent = 'Open'
    find('ul').append(button)
    await noticed()
    same(names(scene), ['open'])
    button.setAttribute('data-domos-tool', 'close')
    await noticed()
    same(names(scene), ['close'])
    box.replaceChildren()
    await noticed()
    same(names(scene), [])
  }),
  on(
    'context is what elements say and fields hold, but never a password',
    `<h1 data-domos-context="title">Tasks  of today</h1><input data-domos-context="filter" value="open">
      <div data-domos-context='{"page":"tasks"}'></div><input type="password" data-domos-context="secret" value="x">`,
    async ({ client, find, noticed }) => {
      same(client.getContext(), { title: 'Tasks of today', filter: 'open', page: 'tasks' })
      find('h1').textContent = 'Tasks'
      find('input').value = 'done'
      find('input').dispatchEvent(new Event('change', { bubbles: true }))
      await noticed()
      same(client.getContext(), { title: 'Tasks', filter: 'done', page: 'tasks' })
    },
  ),
  on(
    'what cannot be used is said once, and hides nothing else',
    `<b data-domos-tool="a" data-domos-action="explode">A</b><b data-domos-tool="b"></b><b data-domos-tool="c">C</b><b data-domos-tool="c">C again</b>
      <b data-domos-tool="d" data-domos-schema="{">D</b><b data-domos-tool="">E</b><b data-domos-tool="f" data-domos-action="submit">F</b>`,
    async (scene) => {
      const { problems, box, noticed } = scene
      same(names(scene), ['c'])
      for (const part of [
        'no action "explode"',
        '"b" needs data-domos-description',
        'Two elements declare the tool "c"',
        'is no JSON',
        'empty data-domos-tool',
        'needs a form',
      ])
        has(problems.join('\n'), part)
      same(problems.length, 6)
      box.append('again')
      await noticed()
      same(problems.length, 6)
    },
  ),
  on(
    'a listener of domos:call does the work itself, with the schema the page gives',
    `<b data-domos-tool="greet" data-domos-description="Greets" data-domos-schema='{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}'></b>`,
    async ({ call, find }) => {
      find('b').addEventListener('domos:call', (event) => {
        event.preventDefault()
        const { args, respondWith } = (event as CustomEvent).detail
        respondWith(Promise.resolve(`Hello ${args.name}`))
      })
      same(await call('greet', { name: 'Ada' }), 'Hello Ada')
      has(await call('greet', {}), 'name is missing')
    },
  ),
]
