import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import type { CallEntry } from './transcript.ts'

const STATES: Readonly<Record<CallEntry['state'], string>> = {
  running: 'Running',
  asking: 'Waiting for you',
  success: 'Done',
  error: 'Failed',
  denied: 'You said no',
  expired: 'No answer in time',
  cancelled: 'Stopped',
  interrupted: 'Cut short',
}

/** One tool call: what, with what, how risky, how it ended and how long it took. Opens to show what came back. */
export function CallCard({ call }: { readonly call: CallEntry }): ReactNode {
  const args = Object.entries(call.args)
  return (
    <details className={`tool-call ${call.state}`}>
      <summary>
        <span className="call-mark">
          {call.state === 'running' ? (
            <span className="spinner" />
          ) : (
            <Icon name={call.state === 'success' ? 'check' : call.state === 'asking' ? 'warn' : 'close'} />
          )}
        </span>
        <span className="call-name">{call.name}</span>
        <span className={`risk ${call.risk}`}>{call.risk === 'none' ? 'no risk' : call.risk}</span>
        <span className="call-args" dir="auto">
          {args.length === 0
            ? 'without arguments'
            : args
                .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
                .join(' · ')}
        </span>
        <span className="call-end">
          {STATES[call.state]}
          {call.durationMs !== undefined && <> · {duration(call.durationMs)}</>}
        </span>
      </summary>
      {call.detail !== undefined && <pre>{call.detail}</pre>}
    </details>
  )
}

/** A call in words, for those who listen. */
export function describeCall(call: CallEntry): string {
  return `${call.name.replaceAll('_', ' ')}: ${STATES[call.state]}.`
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
