import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useState } from 'react'
import { Icon } from '../parts/icons.tsx'

/** The longest thing one can say; the server's own bound. */
const MAX_CHARACTERS = 8_000

/** Where one types. Enter sends, Shift and Enter make a new line. */
export function Composer({
  busy,
  input,
  onSend,
  onStop,
  talk,
}: {
  readonly busy: boolean
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly onSend: (text: string) => void
  readonly onStop: () => void
  /** The button to talk with. */
  readonly talk: ReactNode
}): ReactNode {
  const [text, setText] = useState('')
  const send = () => {
    const said = text.trim()
    if (said === '' || busy) return
    setText('')
    onSend(said)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className="composer" onSubmit={onSubmit}>
      <textarea
        ref={input}
        rows={1}
        maxLength={MAX_CHARACTERS}
        aria-label="Message to the assistant"
        placeholder="Ask, or tell me what to do"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {talk}
      {busy ? (
        <button type="button" className="send stop" aria-label="Stop (Escape)" title="Stop (Escape)" onClick={onStop}>
          <Icon name="stop" filled />
        </button>
      ) : (
        <button type="submit" className="send" aria-label="Send" disabled={text.trim() === ''}>
          <Icon name="send" flips />
        </button>
      )}
    </form>
  )
}
