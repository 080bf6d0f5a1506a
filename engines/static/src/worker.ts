import { parentPort } from 'node:worker_threads'
import { toDomosError } from '@domos/spec'
import { callModel, type DocumentCalls } from './document/document-host.ts'
import { PageModel } from './document/page-model.ts'
import type { FromWorker, ToWorker } from './document/worker-messages.ts'

// The entry of a worker thread that hosts large documents.

const models = new Map<number, PageModel>()

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'open') models.set(message.page, new PageModel(message.media))
  else if (message.type === 'close') models.delete(message.page)
  else parentPort?.postMessage(answer(message))
})

function answer({ page, call, method, args }: ToWorker & { readonly type: 'call' }): FromWorker {
  try {
    const model = models.get(page)
    if (model === undefined) throw new Error('no such page')
    return { call, ok: true, value: callModel(model, method as keyof DocumentCalls, args as never) }
  } catch (thrown) {
    const { code, message, details } = toDomosError(thrown)
    return { call, ok: false, code, message, details }
  }
}
