import { type ReactNode, useEffect, useRef } from 'react'
import type { VoiceLink } from './voice-link.ts'

const BARS = [0.55, 0.8, 1, 0.8, 0.55] as const

/** How loud the microphone is now. It is drawn without React: it moves some 50 times a second. */
export function LevelMeter({ link }: { readonly link: VoiceLink }): ReactNode {
  const meter = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      link.onLevel((level) => {
        // Speech lies between some 1 and 30 per cent of full scale; loudness is heard by its logarithm.
        const shown = Math.max(0, Math.min(1, 1 + Math.log10(Math.max(level, 1e-4)) / 2.2))
        meter.current?.style.setProperty('--level', shown.toFixed(2))
      }),
    [link],
  )
  return (
    <span ref={meter} className="meter" aria-hidden="true">
      {BARS.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change places
        <i key={index} style={{ '--height': height } as never} />
      ))}
    </span>
  )
}
