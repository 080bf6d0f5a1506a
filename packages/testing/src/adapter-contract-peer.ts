import type { Transport } from '@domos/core'
import type { Clock, Connection } from '@domos/spec'
import { createLinkedConnections } from '@domos/wire'

/** A frame as it stands on the wire. */
export interface Frame {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: the suite compares what it finds here, whatever it is
  readonly payload: any
}

/** The far end of the page's wire, spoken as plain JSON text. */
export class ContractPeer {
  readonly frames: Frame[] = []
  /** Whether a returning session is taken up again. */
  resumes = false
  /** Whether the handshake is answered. */
  answers = true
  opened = 0
  #connection: Connection | undefined
  #sent = 0

  readonly transport: Transport = async () => {
    this.opened += 1
    const [near, far] = createLinkedConnections()
    this.#connection = far
    far.onFrame((text) => {
      const frame = JSON.parse(String(text)) as Frame
      this.frames.push(frame)
      if (frame.type === 'HANDSHAKE_INIT' && this.answers) this.#acknowledge(frame)
    })
    return near
  }

  of(type: string): Frame['payload'][] {
    return this.frames.filter((frame) => frame.type === type).map(({ payload }) => payload)
  }

  /** Names of the tools in each CONTEXT_UPDATE. */
  get announced(): readonly (readonly string[])[] {
    return this.of('CONTEXT_UPDATE').map(({ activeTools }) => activeTools.map(({ name }: { name: string }) => name))
  }

  send(type: string, payload: object): void {
    this.#sent += 1
    const meta = { id: `peer_${this.#sent}`, timestamp: START_MS, version: '1.0.0' }
    this.#connection?.send(JSON.stringify({ type, payload, meta }))
  }

  call(name: string, args: object = {}, callId = 'tc_1', more: object = {}): void {
    this.send('TOOL_CALL', { callId, name, args, ...more })
  }

  /** The connection is lost. */
  drop(): void {
    this.#connection?.close(1006, '')
  }

  #acknowledge(frame: Frame): void {
    const resumed = this.resumes && frame.payload.resume !== undefined
    this.send('HANDSHAKE_ACK', {
      sessionId: resumed ? frame.payload.resume.sessionId : `ses_contract_${this.opened}`,
      protocolVersion: '1.0.0',
      capabilities: ['text', 'tools', 'resume', 'stream', 'tool_cancel', 'approval', 'jsonschema'],
      resumeToken: `token-${this.opened}`,
      resumed,
    })
  }
}

const START_MS = 1_767_225_600_000

/** Time that passes when the suite says so. */
export class ContractClock implements Clock {
  #now = START_MS
  #timers: { readonly at: number; readonly task: () => void }[] = []

  now(): number {
    return this.#now
  }

  schedule(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await turns()
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#now = Math.max(this.#now, due.at)
      this.#timers = this.#timers.filter((other) => other !== due)
      due.task()
    }
    this.#now = end
  }
}

/** Lets the event loop turn, so that whatever a framework put off for later has happened. */
export async function turns(count = 4): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setTimeout(next, 0))
}

/** Lets the event loop turn until something holds. Rejects with the sentence when it never does. */
export async function until(holds: () => boolean, sentence: string | (() => string)): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (holds()) return
    await turns(1)
  }
  throw new Error(typeof sentence === 'string' ? sentence : sentence())
}

/** Throws unless both are the same JSON. */
export function same(found: unknown, wanted: unknown, what: string): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (left !== right) throw new Error(`${what} should be ${right}, and is ${left}.`)
}
