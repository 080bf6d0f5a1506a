// How long the embedded planner takes for one decision. Control: parsing the same request from JSON and writing it
// again, with none of our code. Run: node --conditions=@domos/source bench/local-model.ts
import type { JsonObject, ModelRequest, ToolDeclaration } from '@domos/spec'
import { createLocalModel } from '../models/local/src/index.ts'

const ROUNDS = 200
const model = createLocalModel()

function makeRequest(toolCount: number, productCount: number): ModelRequest {
  const nouns = ['cart', 'order', 'account', 'product', 'address', 'coupon', 'review', 'invoice']
  const verbs = ['add', 'remove', 'search', 'get', 'update', 'open', 'share', 'print']
  const tools: ToolDeclaration[] = Array.from({ length: toolCount }, (_, index) => {
    const verb = verbs[index % 8] ?? 'get'
    const noun = nouns[Math.floor(index / 8) % 8] ?? 'item'
    return {
      name: `${verb}_${noun}_${Math.floor(index / 64)}`,
      description: `Use this to ${verb} the ${noun} of the customer on this page`,
      risk: 'none',
      parameters: {
        type: 'object',
        properties: { productId: { type: 'string' }, quantity: { type: 'integer' } },
        required: ['productId'],
      },
    }
  })
  const products = Array.from({ length: productCount }, (_, index) => ({
    id: `p-${index}`,
    name: `Lamp of kind ${index}`,
    category: 'Light',
    price: index,
  }))
  const context = { url: '/', title: 'Shop', data: { products } as JsonObject }
  return {
    system: '',
    tools,
    messages: [
      {
        role: 'user',
        parts: [
          { type: 'page-context', text: JSON.stringify(context), context },
          { type: 'text', text: 'add two lamps of kind 7 to my cart and then search for a desk' },
        ],
      },
    ],
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

for (const [tools, products] of [
  [8, 20],
  [30, 100],
  [128, 500],
] as const) {
  const request = makeRequest(tools, products)
  const plan: number[] = []
  const control: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    for await (const part of model.stream(request, new AbortController().signal)) void part
    const middle = performance.now()
    JSON.stringify(JSON.parse(JSON.stringify(request)))
    plan.push(middle - start)
    control.push(performance.now() - middle)
  }
  const show = (values: readonly number[]): string =>
    `p50 ${percentile(values, 0.5).toFixed(2)} ms, p99 ${percentile(values, 0.99).toFixed(2)} ms`
  console.log(`${tools} tools, ${products} things on the page: plan ${show(plan)}; control ${show(control)}`)
}
