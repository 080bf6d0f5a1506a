import { type FormEvent, type ReactNode, useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react'
import { Icon } from '../parts/icons.tsx'
import { TalkButton } from '../voice/talk-button.tsx'
import { SHOP_VOCABULARY } from '../voice/vocabulary.ts'
import { voiceAddresses } from '../voice/voice-addresses.ts'
import { VoiceBar } from '../voice/voice-bar.tsx'
import { VoiceLink } from '../voice/voice-link.ts'
import { nextSaid } from './dialogue.ts'
import '../styles/phone.css'

/** Makes this device the microphone and loudspeaker of a page that is open elsewhere. */
export function PhonePage({ token }: { readonly token: string | undefined }): ReactNode {
  // A token opens one session once. Used up, the link has to be given another.
  const unused = useRef(token)
  const [said, tell] = useReducer(nextSaid, [])
  const [link] = useState(
    () =>
      new VoiceLink({
        ...voiceAddresses(location),
        vocabulary: SHOP_VOCABULARY,
        joinToken: async () => {
          const given = unused.current
          unused.current = undefined
          if (given === undefined) throw new Error('The link to the page is gone. Ask it for a new code.')
          return given
        },
        onTranscript: tell,
      }),
  )
  const view = useSyncExternalStore(link.subscribe, link.view)
  useEffect(() => () => link.stop(), [link])
  const enter = (code: string) => {
    unused.current = code
    void link.enter()
  }
  const isIn = view.status === 'on' || view.status === 'waiting'
  return (
    <main className="phone-page">
      <header>
        <h1>{isIn ? 'Talk to your page' : 'Use this device as microphone'}</h1>
        <p className="muted">
          {isIn
            ? 'What you say acts on the page that gave you the code. Before anything risky, you are asked there.'
            : 'It becomes the microphone and the loudspeaker of the page that is open on your other device.'}
        </p>
      </header>
      {isIn ? (
        <>
          <ol className="phone-log" aria-live="polite">
            {said.map(({ id, role, text }) => (
              <li key={id} className={`entry ${role === 'user' ? 'person' : 'agent'}`}>
                <div className="bubble" dir="auto">
                  <span className="hidden">{role === 'user' ? 'You: ' : 'Assistant: '}</span>
                  {text}
                </div>
              </li>
            ))}
          </ol>
          <div className="phone-foot">
            <VoiceBar link={link} view={view} />
            <div className="phone-talk">
              <TalkButton link={link} view={view} className="talk big" />
              <p className="small muted">Hold to talk, or press once to begin and once more to send.</p>
            </div>
            <label className="switch">
              <input
                type="checkbox"
                role="switch"
                aria-checked={view.mode === 'hands-free'}
                checked={view.mode === 'hands-free'}
                onChange={({ currentTarget }) => void link.setHandsFree(currentTarget.checked)}
              />
              Hands-free
            </label>
            <TypeInstead onSay={(text) => void link.say(text)} />
          </div>
        </>
      ) : (
        <>
          <VoiceBar link={link} view={view} />
          <Entrance token={token} isBusy={view.status === 'starting'} onEnter={enter} />
        </>
      )}
      {!window.isSecureContext && (
        <p className="aside">
          This page did not come over https, so the browser gives it no microphone; you can type. For a microphone,
          start the server with <code>--tls-cert FILE --tls-key FILE</code>.
        </p>
      )}
    </main>
  )
}

/** One press where a code was scanned; six digits where it was not, or was used. */
function Entrance({
  token,
  isBusy,
  onEnter,
}: {
  readonly token: string | undefined
  readonly isBusy: boolean
  readonly onEnter: (code: string) => void
}): ReactNode {
  const [isScanned, setScanned] = useState(token !== undefined)
  const [code, setCode] = useState('')
  if (isScanned && token !== undefined) {
    return (
      <button
        type="button"
        className="button primary wide"
        disabled={isBusy}
        onClick={() => {
          setScanned(false)
          onEnter(token)
        }}
      >
        <Icon name="microphone" />
        Connect
      </button>
    )
  }
  const digits = code.replace(/\D/g, '')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (digits.length !== 6 || isBusy) return
    setCode('')
    onEnter(digits)
  }
  return (
    <form className="entrance" onSubmit={onSubmit}>
      <label>
        Six-digit code
        <input
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          placeholder="000 000"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      </label>
      <button type="submit" className="button primary" disabled={digits.length !== 6 || isBusy}>
        {isBusy ? <span className="spinner" /> : <Icon name="microphone" />}
        Connect
      </button>
      <p className="small muted">On the page, press “Use your phone” below the chat to get one.</p>
    </form>
  )
}

function TypeInstead({ onSay }: { readonly onSay: (text: string) => void }): ReactNode {
  const [text, setText] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const said = text.trim()
    if (said === '') return
    setText('')
    onSay(said)
  }
  return (
    <form className="composer" onSubmit={onSubmit}>
      <input
        className="phone-text"
        aria-label="Type instead"
        placeholder="Or type"
        maxLength={4_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" className="send" aria-label="Send" disabled={text.trim() === ''}>
        <Icon name="send" flips />
      </button>
    </form>
  )
}
