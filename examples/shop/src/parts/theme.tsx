import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icons.tsx'

const KEY = 'hearth-and-hum/theme'
const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const LABELS: Readonly<Record<Theme, string>> = { auto: 'as the system', light: 'light', dark: 'dark' }
const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const

/** Puts the kept theme on the page; call it before the first paint. */
export function applyKeptTheme(): void {
  apply(kept())
}

/** Steps through: as the system says, light, dark. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState<Theme>(kept)
  useEffect(() => apply(theme), [theme])
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Colours: ${LABELS[theme]}. Switch to ${LABELS[next]}`}
      onClick={() => setTheme(next)}
    >
      <Icon name={ICONS[theme]} />
    </button>
  )
}

function apply(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function kept(): Theme {
  try {
    const text = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === text) ?? 'auto'
  } catch {
    return 'auto'
  }
}
