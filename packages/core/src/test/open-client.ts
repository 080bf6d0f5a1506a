import type { ApprovalQuestion, ApprovalVerdict, Approver } from '../approval/approver.ts'
import { DomOSClient } from '../client.ts'
import type { ClientEventName } from '../events.ts'
import type { DomOSClientOptions } from '../options.ts'
import { FakeClock, settle } from './fake-clock.ts'
import { ALL, FakeServer } from './fake-server.ts'

/** A person who answers when the test says so. */
export class FakePerson implements Approver {
  readonly asked: { readonly question: ApprovalQuestion; readonly answer: (verdict: ApprovalVerdict) => void }[] = []
  readonly notices: string[] = []

  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalVerdict> {
    return new Promise((answer) => {
      this.asked.push({ question, answer })
      signal.addEventListener('abort', () => answer({ approved: false, why: 'cancelled' }))
    })
  }

  notify({ toolName }: { readonly toolName: string }): void {
    this.notices.push(toolName)
  }
}

/** A connected client with a server, a clock and a person at the test's command. */
export async function openClient(options: DomOSClientOptions = {}, capabilities: readonly string[] = ALL) {
  const clock = new FakeClock()
  const server = new FakeServer(capabilities)
  server.dialect = options.dialect ?? 'document'
  const person = new FakePerson()
  const client = new DomOSClient({
    endpoint: 'ws://shop.test/adtp',
    transport: server.transport,
    clock,
    approvals: 'custom-unsafe',
    approver: person,
    ...options,
  })
  const events: { readonly name: ClientEventName; readonly data: unknown }[] = []
  client.onAnyEvent((name, data) => events.push({ name, data }))
  void client.connect()
  await settle()
  return { client, server, clock, person, events }
}
