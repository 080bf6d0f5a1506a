import type { CallInfo, CallOutcome, ClientEvents } from '@domos/core'

/** One thing in the conversation, oldest first. */
export type Entry =
  | { readonly id: string; readonly type: 'person'; readonly text: string; readonly isSpoken?: boolean }
  | {
      readonly id: string
      readonly type: 'agent'
      readonly text: string
      readonly state: 'streaming' | 'done' | 'stopped'
    }
  | CallEntry
  | { readonly id: string; readonly type: 'notice' | 'error'; readonly text: string }

/** A tool call in the log. */
export interface CallEntry {
  readonly id: string
  readonly type: 'call'
  readonly name: string
  readonly args: CallInfo['args']
  readonly risk: CallInfo['risk']
  readonly state: 'running' | 'asking' | 'success' | 'error' | 'denied' | 'expired' | 'cancelled' | 'interrupted'
  readonly startedAtMs: number
  readonly durationMs?: number
  readonly detail?: string
}

/** What changes the conversation. */
export type TranscriptEvent =
  | { readonly type: 'said'; readonly id: string; readonly text: string; readonly isSpoken?: boolean }
  | { readonly type: 'delta'; readonly id: string; readonly text: string }
  | { readonly type: 'answered' }
  | { readonly type: 'stopped' }
  | { readonly type: 'call'; readonly call: CallInfo; readonly atMs: number }
  | { readonly type: 'asking'; readonly call: Question; readonly atMs: number }
  | { readonly type: 'decided'; readonly verdict: Verdict; readonly atMs: number }
  | { readonly type: 'settled'; readonly call: CallInfo; readonly outcome: CallOutcome; readonly atMs: number }
  | { readonly type: 'told'; readonly kind: 'notice' | 'error'; readonly id: string; readonly text: string }
  | { readonly type: 'restarted'; readonly id: string }
  | { readonly type: 'cleared' }

type Question = Omit<ClientEvents['approval.requested'], 'expiresAt'>
type Verdict = ClientEvents['approval.settled']

const RESTARTED = 'The assistant began anew and does not remember what was said above.'

/** The most entries kept; older ones go first. */
export const MAX_ENTRIES = 200

/** The conversation after an event. */
export function nextTranscript(entries: readonly Entry[], event: TranscriptEvent): readonly Entry[] {
  switch (event.type) {
    case 'said':
      return bounded([
        ...nextTranscript(entries, { type: 'answered' }),
        { id: event.id, type: 'person', text: event.text, ...(event.isSpoken === true && { isSpoken: true }) },
      ])
    case 'delta': {
      const last = entries.at(-1)
      if (last?.type === 'agent' && last.state === 'streaming')
        return [...entries.slice(0, -1), { ...last, text: last.text + event.text }]
      return bounded([...entries, { id: event.id, type: 'agent', text: event.text, state: 'streaming' }])
    }
    case 'answered':
    case 'stopped':
      return entries.map((entry) =>
        entry.type === 'agent' && entry.state === 'streaming'
          ? { ...entry, state: event.type === 'answered' ? ('done' as const) : ('stopped' as const) }
          : entry,
      )
    case 'call':
      return withCall(entries, event.call, 'running', event.atMs)
    case 'asking': {
      const { toolName, ...call } = event.call
      return withCall(entries, { ...call, name: toolName }, 'asking', event.atMs)
    }
    case 'decided': {
      const { verdict, atMs } = event
      return changeCall(entries, verdict.callId, (entry) => {
        if (verdict.approved) return { ...entry, state: 'running' }
        const state = verdict.why === 'unavailable' ? 'error' : verdict.why
        const detail = verdict.reason === undefined ? {} : { detail: verdict.reason }
        return { ...entry, ...detail, state, durationMs: Math.max(0, atMs - entry.startedAtMs) }
      })
    }
    case 'settled': {
      const { call, outcome, atMs } = event
      const known = entries.some((entry) => entry.type === 'call' && entry.id === call.callId)
      const present = known ? entries : withCall(entries, call, 'running', atMs)
      return changeCall(present, call.callId, (entry) => ({
        ...entry,
        ...ended(outcome),
        durationMs: Math.max(0, atMs - entry.startedAtMs),
      }))
    }
    case 'told': {
      const last = entries.at(-1)
      if (last?.type === event.kind && last.text === event.text) return entries
      return bounded([...entries, { id: event.id, type: event.kind, text: event.text }])
    }
    case 'restarted':
      // A new session knows nothing of an older one, though the conversation still stands here.
      return entries.some((entry) => entry.type === 'person')
        ? nextTranscript(entries, { type: 'told', kind: 'notice', id: event.id, text: RESTARTED })
        : entries
    case 'cleared':
      return []
  }
}

/** Whether a call runs or waits for the person now. */
export function isOpen(call: CallEntry): boolean {
  return call.state === 'running' || call.state === 'asking'
}

/** Reads a kept conversation. What was open when the page went away is marked as cut short. */
export function parseTranscript(text: string | null): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter(isEntry).map((entry) => {
      if (entry.type === 'agent' && entry.state === 'streaming') return { ...entry, state: 'stopped' }
      if (entry.type === 'call' && isOpen(entry)) return { ...entry, state: 'interrupted' }
      return entry
    })
  } catch {
    return []
  }
}

function isEntry(value: Entry | null): value is Entry {
  if (typeof value?.id !== 'string') return false
  if (value.type === 'call')
    return typeof value.name === 'string' && typeof value.args === 'object' && typeof value.startedAtMs === 'number'
  return ['person', 'agent', 'notice', 'error'].includes(value.type) && typeof value.text === 'string'
}

function ended(outcome: CallOutcome): Pick<CallEntry, 'state' | 'detail'> {
  if (outcome.status === 'success') return { state: 'success', detail: JSON.stringify(outcome.result, null, 2) ?? '' }
  const known = (['denied', 'expired', 'cancelled'] as const).find((code) => code === outcome.code)
  return { state: known ?? 'error', detail: outcome.error }
}

/** A call that is asked about first and run later is one entry; its time is counted from when it runs. */
function withCall(
  entries: readonly Entry[],
  call: Pick<CallInfo, 'callId' | 'name' | 'args' | 'risk'>,
  state: 'running' | 'asking',
  startedAtMs: number,
): readonly Entry[] {
  const entry: CallEntry = {
    id: call.callId,
    type: 'call',
    name: call.name,
    args: call.args,
    risk: call.risk,
    state,
    startedAtMs,
  }
  if (entries.some(({ id, type }) => type === 'call' && id === call.callId))
    return changeCall(entries, call.callId, () => entry)
  return bounded([...nextTranscript(entries, { type: 'answered' }), entry])
}

function changeCall(
  entries: readonly Entry[],
  callId: string,
  change: (entry: CallEntry) => CallEntry,
): readonly Entry[] {
  return entries.map((entry) => (entry.type === 'call' && entry.id === callId ? change(entry) : entry))
}

function bounded(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(-MAX_ENTRIES)
}
