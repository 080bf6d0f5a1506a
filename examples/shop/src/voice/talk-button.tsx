import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../parts/icons.tsx'
import { type PressEvent, type PressState, pressTable, SHORT_PRESS_MS } from './press-state.ts'
import type { VoiceLink } from './voice-link.ts'
import type { VoiceView } from './voice-state.ts'

/** Hold to talk, or press once to begin and once more to send. In hands-free mode it ends that mode. */
export function TalkButton({
  link,
  view,
  className = 'talk',
  children,
}: {
  readonly link: VoiceLink
  readonly view: VoiceView
  readonly className?: string
  readonly children?: ReactNode
}): ReactNode {
  const press = useRef<{ state: PressState; downAt: number; byPointer: boolean }>({
    state: 'up',
    downAt: 0,
    byPointer: false,
  })
  const isHandsFree = view.mode === 'hands-free'
  const step = (event: PressEvent) => {
    const [state, action] = pressTable[press.current.state][event]
    press.current.state = state
    if (action === 'press') void link.press()
    else if (action === 'release') link.release()
  }
  const down = (atMs: number) => {
    if (isHandsFree) return
    if (press.current.state === 'up') press.current.downAt = atMs
    step('down')
  }
  const up = (atMs: number) => step(atMs - press.current.downAt < SHORT_PRESS_MS ? 'short' : 'up')

  // The link may have gone, or the mode changed, while the button was down.
  const isUsable = view.status !== 'off' && !isHandsFree
  useEffect(() => {
    if (!isUsable) press.current.state = 'up'
  }, [isUsable])

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    press.current.byPointer = true
    down(event.timeStamp)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    if (isHandsFree) return
    event.preventDefault()
    if (event.repeat) return
    if (event.type === 'keydown') down(event.timeStamp)
    else up(event.timeStamp)
  }
  const onClick = () => {
    const { byPointer } = press.current
    press.current.byPointer = false
    if (isHandsFree) void link.setHandsFree(false)
    else if (!byPointer) {
      // Assistive technology presses without a pointer: once to begin, once more to send.
      step('down')
      step('short')
    }
  }
  return (
    <button
      type="button"
      className={`${className}${view.isRecording ? ' recording' : ''}`}
      aria-label={labelOf(view)}
      aria-pressed={view.isRecording}
      title={labelOf(view)}
      onPointerDown={onPointerDown}
      onPointerUp={(event) => up(event.timeStamp)}
      onPointerCancel={() => step('reset')}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={onKey}
      onKeyUp={onKey}
      onBlur={() => step('reset')}
      onClick={onClick}
    >
      {view.status === 'starting' ? <span className="spinner" /> : <Icon name="microphone" filled={view.isRecording} />}
      {children}
    </button>
  )
}

function labelOf(view: VoiceView): string {
  if (view.mode === 'hands-free') return 'Stop listening'
  return view.isRecording ? 'Send what you said' : 'Talk: hold, or press once'
}
