import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icons.tsx'
import type { Route } from '../shop/router.tsx'
import type { ShopState } from '../shop/shop-state.ts'
import { PhoneDialog } from '../voice/phone-dialog.tsx'
import { TalkButton } from '../voice/talk-button.tsx'
import { useVoice } from '../voice/use-voice.ts'
import { VoiceBar } from '../voice/voice-bar.tsx'
import { onAsk } from './ask.ts'
import { ChatLog } from './chat-log.tsx'
import { Composer } from './composer.tsx'
import { ConnectionBadge, ConnectionNote } from './connection.tsx'
import { suggestionsFor } from './suggestions.ts'
import { useChat } from './use-chat.ts'

const WIDE = '(min-width: 1080px)'

/** The assistant: beside the shop on wide screens, a sheet from below on narrow ones. */
export function ChatPanel({ route, state }: { readonly route: Route; readonly state: ShopState }): ReactNode {
  const chat = useChat()
  const [open, setOpen] = useState(() => matchMedia(WIDE).matches)
  const input = useRef<HTMLTextAreaElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { send, busy } = chat
  const { link, view: voice } = useVoice()
  const [phone, setPhone] = useState(false)
  const stop = () => {
    link.interrupt()
    chat.stop()
  }

  useEffect(
    () =>
      onAsk((text) => {
        setOpen(true)
        if (!busy) send(text)
      }),
    [send, busy],
  )
  useEffect(() => {
    document.documentElement.dataset['chat'] = open ? 'open' : 'closed'
  }, [open])

  const show = () => {
    setOpen(true)
    requestAnimationFrame(() => input.current?.focus())
  }
  const hide = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    if (busy || voice.doing === 'speaking') stop()
    else hide()
  }
  const ask = (text: string) => {
    if (busy) return
    send(text)
    input.current?.focus()
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        className="chat-opener"
        hidden={open}
        aria-expanded={open}
        aria-controls="assistant"
        onClick={show}
      >
        <Icon name="spark" filled />
        Ask
        {busy && <span className="spinner" />}
        {voice.status !== 'off' && !busy && (
          <span className="live">
            <Icon name="microphone" />
            <span className="hidden">The microphone is on.</span>
          </span>
        )}
      </button>
      <aside id="assistant" className="chat" hidden={!open} aria-label="Assistant" onKeyDown={onKeyDown}>
        <header className="chat-head">
          <h2>Assistant</h2>
          <ConnectionBadge state={chat.connection} />
          {chat.entries.length > 0 && (
            <button type="button" className="text-button" disabled={busy} onClick={chat.clear}>
              Clear
            </button>
          )}
          <button type="button" className="icon-button" aria-label="Close the assistant" onClick={hide}>
            <Icon name="close" />
          </button>
        </header>
        <ConnectionNote state={chat.connection} />
        <ChatLog entries={chat.entries} busy={busy} />
        <div className="chat-foot">
          <ul className="chips" aria-label="Suggestions">
            {suggestionsFor(route, state).map((text) => (
              <li key={text}>
                <button type="button" aria-disabled={busy} onClick={() => ask(text)}>
                  {text}
                </button>
              </li>
            ))}
          </ul>
          <VoiceBar link={link} view={voice} />
          <Composer
            busy={busy}
            input={input}
            onSend={send}
            onStop={stop}
            talk={<TalkButton link={link} view={voice} />}
          />
          <div className="voice-options">
            <label className="switch">
              <input
                type="checkbox"
                role="switch"
                aria-checked={voice.mode === 'hands-free'}
                checked={voice.mode === 'hands-free'}
                onChange={({ currentTarget }) => void link.setHandsFree(currentTarget.checked)}
              />
              Hands-free
            </label>
            <button type="button" className="text-button" onClick={() => setPhone(true)}>
              Use your phone
            </button>
          </div>
          {phone && <PhoneDialog onClose={() => setPhone(false)} />}
          <details className="toolbox">
            <summary>
              {chat.tools.length} {chat.tools.length === 1 ? 'tool' : 'tools'} on this page
              <Icon name="chevron" />
            </summary>
            <ul>
              {chat.tools.map((name) => (
                <li key={name}>
                  <code>{name}</code>
                </li>
              ))}
            </ul>
          </details>
        </div>
      </aside>
    </>
  )
}
