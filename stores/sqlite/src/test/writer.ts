// A child process that writes without end and prints each number once its write is acknowledged.
import { openSqliteStore } from '../sqlite-store.ts'

const store = openSqliteStore({ path: String(process.argv[2]), commitDelayMs: 0 })
for (let number = 0; ; number += 1) {
  const text = `${number} ${'x'.repeat(500)}`
  const writes = [
    store.appendMessages('a', [{ role: 'user', parts: [{ type: 'text', text }] }]),
    store.appendAudit({ at: number, sessionId: 'a', principalId: 'p', event: 'approval-given' }),
  ]
  await Promise.all(writes)
  process.stdout.write(`${number}\n`)
}
