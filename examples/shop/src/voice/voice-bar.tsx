import type { ReactNode } from 'react'
import { Icon } from '../parts/icons.tsx'
import { LevelMeter } from './level-meter.tsx'
import type { VoiceLink } from './voice-link.ts'
import { describeVoice, type VoiceView } from './voice-state.ts'

/** What the microphone hears and what is being said, while it is on; and what is in the way. */
export function VoiceBar({ link, view }: { readonly link: VoiceLink; readonly view: VoiceView }): ReactNode {
  const isOn = view.status !== 'off'
  const speaks = view.doing === 'speaking' || view.doing === 'paused'
  const line = speaks ? view.caption : view.partial
  return (
    <>
      <div role="alert">
        {view.problem !== undefined && (
          <div className="voice-problem">
            <Icon name="warn" />
            <p>
              <strong>{view.problem.title}</strong> {view.problem.advice}
            </p>
            <button type="button" className="icon-button" aria-label="Dismiss" onClick={link.dismissProblem}>
              <Icon name="close" />
            </button>
          </div>
        )}
      </div>
      {isOn && (
        <div className={`voice-bar ${view.isRecording ? 'recording' : ''}`}>
          <LevelMeter link={link} />
          <p className="voice-line">
            <span role="status">{describeVoice(view)}</span>
            {line !== '' && (
              <span className="voice-words" dir="auto">
                {line}
              </span>
            )}
          </p>
          {speaks && (
            <button type="button" className="text-button" onClick={link.interrupt}>
              Be quiet
            </button>
          )}
          <button type="button" className="icon-button" aria-label="Turn the microphone off" onClick={link.stop}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </>
  )
}
