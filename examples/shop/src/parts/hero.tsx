import type { ReactNode } from 'react'
import { Lamp } from '../art/desk.tsx'
import { Monstera } from '../art/home.tsx'
import { Mug } from '../art/kitchen.tsx'
import { Headphones, Turntable } from '../art/sound.tsx'
import { askAssistant } from '../chat/ask.ts'
import { Icon } from './icons.tsx'

const TRY = 'Add two headphones to my cart'

/** What the shop is, and what one can say to it. */
export function Hero(): ReactNode {
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="hero-text">
        <p className="eyebrow">Twenty good things</p>
        <h2 id="hero-title">Small things for rooms you work and rest in.</h2>
        <p className="lede">
          Browse as you like, or say what you want. The assistant uses this very page, and asks you before anything that
          matters.
        </p>
        <button type="button" className="button primary" onClick={() => askAssistant(TRY)}>
          <Icon name="spark" filled />“{TRY}”
        </button>
      </div>
      <svg className="hero-scene" viewBox="0 24 600 336" aria-hidden="true" preserveAspectRatio="xMidYMax meet">
        <circle cx="440" cy="132" r="92" fill="var(--hero-sun)" />
        <rect x="286" y="40" width="12" height="26" rx="6" fill="var(--hero-shelf-dark)" />
        <rect x="20" y="306" width="560" height="14" rx="7" fill="var(--hero-shelf)" />
        <rect x="70" y="320" width="16" height="40" fill="var(--hero-shelf-dark)" />
        <rect x="508" y="320" width="16" height="40" fill="var(--hero-shelf-dark)" />
        <g transform="translate(6 96) scale(1.050)">
          <Lamp />
        </g>
        <g transform="translate(168 124) scale(0.892)">
          <Turntable />
        </g>
        <g transform="translate(214 10) scale(0.650)">
          <Headphones />
        </g>
        <g transform="translate(352 68) scale(1.167)">
          <Monstera />
        </g>
        <g transform="translate(340 206) scale(0.517)">
          <Mug />
        </g>
      </svg>
    </section>
  )
}
