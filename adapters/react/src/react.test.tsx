// @vitest-environment happy-dom
import { DomOSClient } from '@domos/core'
import { Activity, act, Component, type ReactNode, useState } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import {
  DomOSProvider,
  useAgent,
  useAgentContext,
  useAgentTool,
  useApproval,
  useDomOSClient,
  useDomOSEvent,
  useTool,
} from './index.ts'

let root: Root
let box: HTMLElement
let client: DomOSClient

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})
beforeEach(() => {
  box = document.body.appendChild(document.createElement('div'))
  client = new DomOSClient({
    endpoint: 'ws://tasks.test/adtp',
    approvals: 'none',
    transport: () => new Promise(() => {}),
  })
  root = createRoot(box)
})
afterEach(async () => {
  await act(() => root.unmount())
  client.destroy()
  box.remove()
})

const show = (element: ReactNode) => act(() => root.render(<DomOSProvider client={client}>{element}</DomOSProvider>))
const names = () => client.registeredTools.map(({ name }) => name)

function Tool({ name = 'list', global = false }: { readonly name?: string; readonly global?: boolean }) {
  useTool({ name, description: 'Lists', global, handler: () => 1 })
  return null
}

describe('a tool', () => {
  it('gets the types of its arguments from its schema', async () => {
    function Typed() {
      useTool({
        name: 'add',
        description: 'Adds',
        parameters: z.object({ title: z.string(), count: z.number().default(1) }),
        handler: (args) => expectTypeOf(args).toEqualTypeOf<{ title: string; count: number }>(),
      })
      useTool({
        name: 'rename',
        description: 'Renames',
        parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        handler: ({ title }) => expectTypeOf(title).toEqualTypeOf<string>(),
      })
      useAgentTool({ name: 'done', description: 'Ends', schema: z.object({ id: z.number() }), risk: 'low' }, ({ id }) =>
        expectTypeOf(id).toEqualTypeOf<number>(),
      )
      // @ts-expect-error A tool without a description is none.
      useTool({ name: 'list', handler: () => 1, ...({ description: 'Lists' } as object) })
      return null
    }
    await show(<Typed />)
    expect(names()).toEqual(['add', 'rename', 'done', 'list'])
  })

  it('is not declared while a hidden Activity holds it, and is again when that is shown', async () => {
    await show(
      <Activity mode="visible">
        <Tool />
      </Activity>,
    )
    expect(names()).toEqual(['list'])
    await show(
      <Activity mode="hidden">
        <Tool />
      </Activity>,
    )
    expect(names()).toEqual([])
    await show(
      <Activity mode="visible">
        <Tool />
      </Activity>,
    )
    expect(names()).toEqual(['list'])
  })

  it('stays after its component when it is global, until the client ends', async () => {
    await show(<Tool name="home" global />)
    await show(null)
    expect(names()).toEqual(['home'])
    client.destroy()
    expect(names()).toEqual([])
  })

  it('of a rendering that is thrown away is never declared', async () => {
    const declared = vi.spyOn(client, 'registerTool')
    const Broken = () => {
      useTool({ name: 'never', description: 'Never', handler: () => 1 })
      throw new Error('No rendering')
    }
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
    await show(
      <Boundary>
        <Broken />
      </Boundary>,
    )
    silent.mockRestore()
    expect(box.textContent).toBe('No rendering')
    expect(declared).not.toHaveBeenCalled()
  })

  it('that cannot be declared says why where the page can show it', async () => {
    const Nameless = () => {
      useTool({ name: '', description: 'Nameless', handler: () => 1 })
      return null
    }
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
    await show(
      <Boundary>
        <Nameless />
      </Boundary>,
    )
    silent.mockRestore()
    expect(box.textContent).toContain('needs a name')
  })
})

class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { message: '' }
  static getDerivedStateFromError(error: Error) {
    return { message: error.message }
  }
  override render() {
    return this.state.message || this.props.children
  }
}

describe('the provider', () => {
  it('makes one client for its life, connects it, and lets it go', async () => {
    const clients = new Set<DomOSClient>()
    const Probe = () => {
      clients.add(useDomOSClient())
      return <p>{useAgent().state}</p>
    }
    const transport = vi.fn(() => new Promise<never>(() => {}))
    const page = () => (
      <DomOSProvider endpoint="ws://tasks.test/adtp" transport={transport}>
        <Probe />
      </DomOSProvider>
    )
    await act(() => root.render(page()))
    await act(() => root.render(page()))
    expect([clients.size, transport.mock.calls.length, box.textContent]).toEqual([1, 1, 'connecting'])
    await act(() => root.render(null))
    expect([...clients][0]?.state).toBe('disconnected')
  })

  it('leaves a client that is given alone', async () => {
    await show(<Tool />)
    expect(client.state).toBe('idle')
    await act(() => root.render(null))
    expect([client.state, names()]).toEqual(['idle', []])
  })

  it('has tools of its own, first of all', async () => {
    const home = { name: 'home', description: 'Goes home', handler: () => 1 }
    await act(() =>
      root.render(
        <DomOSProvider client={client} globalTools={[home]}>
          <Tool />
        </DomOSProvider>,
      ),
    )
    expect(names().sort()).toEqual(['home', 'list'])
  })

  it('is missed with a sentence', () => {
    expect(() => renderToString(<Tool />)).toThrow('below <DomOSProvider>')
  })
})

it('approvals of one’s own need the mark that they are unsafe', async () => {
  const Mine = () => <p>{useApproval().pending.length}</p>
  const silent = vi.spyOn(console, 'error').mockImplementation(() => {})
  await show(
    <Boundary>
      <Mine />
    </Boundary>,
  )
  silent.mockRestore()
  expect(box.textContent).toContain('custom-unsafe')
})

it('an event is heard by the latest listener, and by none after the component', async () => {
  const heard: string[] = []
  const Ear = ({ mark }: { readonly mark: string }) => {
    useDomOSEvent('connection.state.changed', ({ state }) => heard.push(`${mark} ${state}`))
    return null
  }
  await show(<Ear mark="a" />)
  await show(<Ear mark="b" />)
  void client.connect()
  await show(null)
  client.disconnect()
  expect(heard).toEqual(['b connecting'])
})

describe('a page rendered on a server', () => {
  const Page = () => {
    const [count] = useState(3)
    useTool({ name: 'list', description: 'Lists', handler: () => count })
    useAgentContext({ count })
    return <p>{useAgent().state}</p>
  }
  const page = (given: DomOSClient) => (
    <DomOSProvider client={given}>
      <Page />
    </DomOSProvider>
  )

  it('hydrates without a complaint, also when the client is under way already', async () => {
    const complaint = vi.spyOn(console, 'error')
    const html = renderToString(page(client))
    expect([html, names()]).toEqual(['<p>idle</p>', []])
    void client.connect()
    const server = document.body.appendChild(document.createElement('div'))
    server.innerHTML = html
    const hydrated = await act(() => hydrateRoot(server, page(client)))
    expect([server.textContent, names(), client.getContext()]).toEqual(['connecting', ['list'], { count: 3 }])
    expect(complaint).not.toHaveBeenCalled()
    complaint.mockRestore()
    await act(() => hydrated.unmount())
    expect([names(), client.getContext()]).toEqual([[], {}])
  })
})
