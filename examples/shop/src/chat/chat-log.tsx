import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Icon } from '../parts/icons.tsx'
import { CallCard, describeCall } from './call-card.tsx'
import { RichText } from './rich-text.tsx'
import type { Entry } from './transcript.ts'

/** The conversation. It follows its end unless the person has scrolled up. */
export function ChatLog({ entries, busy }: { readonly entries: readonly Entry[]; readonly busy: boolean }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the thinking dots make the box taller as well
  useLayoutEffect(() => {
    if (atEnd.current && entries.length > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [entries, busy])
  const last = entries.at(-1)
  const waiting =
    busy &&
    !(last?.type === 'agent' && last.state === 'streaming') &&
    !(last?.type === 'call' && last.state === 'asking')
  return (
    <>
      <section
        ref={box}
        className="chat-log"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={({ currentTarget: at }) => {
          atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < 40
        }}
      >
        {entries.length === 0 && <Welcome />}
        <ol>
          {entries.map((entry) => (
            <li key={entry.id} className={`entry ${entry.type}`}>
              <EntryView entry={entry} />
            </li>
          ))}
          {waiting && (
            <li className="entry agent">
              <div className="bubble typing">
                <span className="hidden">The assistant is thinking.</span>
                <i />
                <i />
                <i />
              </div>
            </li>
          )}
        </ol>
      </section>
      <p className="hidden" role="status" aria-live="polite">
        {spoken(last)}
      </p>
    </>
  )
}

function EntryView({ entry }: { readonly entry: Entry }): ReactNode {
  switch (entry.type) {
    case 'person':
      return (
        <div className="bubble" dir="auto">
          {entry.isSpoken === true && <Icon name="microphone" />}
          <span className="hidden">You{entry.isSpoken === true && ' said'}: </span>
          {entry.text}
        </div>
      )
    case 'agent':
      return (
        <div className="bubble" dir="auto">
          <span className="hidden">Assistant: </span>
          <RichText text={entry.text} />
          {entry.state === 'stopped' && <small className="cut">Stopped here.</small>}
        </div>
      )
    case 'call':
      return <CallCard call={entry} />
    case 'notice':
      return <p className="aside">{entry.text}</p>
    case 'error':
      return (
        <p className="aside error">
          <Icon name="warn" />
          {entry.text}
        </p>
      )
  }
}

function Welcome(): ReactNode {
  return (
    <div className="welcome">
      <span className="welcome-mark">
        <Icon name="spark" filled />
      </span>
      <h3>Say what you want.</h3>
      <p>
        I use the tools of the page you are on: you see each one as it runs. Before anything is removed, ordered or
        deleted, you are asked.
      </p>
    </div>
  )
}

/** Whole answers and ended calls are read out; single words as they stream in are not. */
function spoken(last: Entry | undefined): string {
  if (last?.type === 'agent' && last.state !== 'streaming') return last.text
  if (last?.type === 'call' && last.state !== 'running') return describeCall(last)
  return last?.type === 'error' ? last.text : ''
}
