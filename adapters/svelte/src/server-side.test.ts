import { runInThisContext } from 'node:vm'
import { expect, it, vi } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'
import { bundleSvelte, importForServer } from '../../../test/adapters/bundle.ts'
import type * as Page from './test/ssr.ts'

const PAGE = 'adapters/svelte/src/test/ssr.ts'

it('renders on a server without a document or a connection, and the page takes over from there', async () => {
  expect(typeof document).toBe('undefined')
  const server = (await importForServer(PAGE)) as unknown as typeof Page
  const transport = vi.fn(() => new Promise<never>(() => {}))
  const rendered = server.createClient(transport)
  const { body } = await server.render(server.Run as never, {
    props: { client: rendered, setup: server.setup } as never,
  })
  expect(body).toContain('<p>idle false</p>')
  expect([transport.mock.calls.length, rendered.toolCount]).toEqual([0, 0])

  const script = await bundleSvelte(PAGE, 'svelteTestPage')
  const { teardown } = await builtinEnvironments['happy-dom'].setup(globalThis, {})
  try {
    runInThisContext(script)
    const { svelteTestPage: page } = globalThis as unknown as { readonly svelteTestPage: typeof Page }
    const warned = vi.spyOn(console, 'warn')
    const client = page.createClient(transport)
    const box = document.body.appendChild(document.createElement('div'))
    box.innerHTML = body
    const paragraph = box.querySelector('p')
    const hydrated = page.hydrate(page.Run as never, { target: box, props: { client, setup: page.setup } as never })
    await vi.waitFor(() => expect(client.registeredTools.map(({ name }) => name)).toEqual(['list']))
    expect(box.querySelector('p')).toBe(paragraph)
    expect(client.getContext()).toEqual({ page: 'tasks' })
    expect(warned).not.toHaveBeenCalled()
    await page.unmount(hydrated)
    expect([client.toolCount, client.getContext()]).toEqual([0, {}])
  } finally {
    await teardown(globalThis)
  }
})
