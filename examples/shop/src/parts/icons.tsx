import type { ReactNode } from 'react'

const PATHS = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3 20 20',
  bag: 'M5.5 8.5h13l1 11.5h-15zM9 8.5V7a3 3 0 0 1 6 0v1.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.6-6 7.5-6s6.7 2 7.5 6',
  heart: 'M12 20S4 15.2 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15.2 12 20 12 20z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 3.5v17M12 7l6 .5M12 11h8.5M12 15h8',
  send: 'M4.5 12h14M13 6l6 6-6 6',
  stop: 'M7 7h10v10H7z',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5.5v13M5.5 12h13',
  minus: 'M5.5 12h13',
  check: 'M5 12.5 10 17.5 19.5 7',
  trash: 'M5 7h14M10 7V5h4v2M7 7l.8 12.5h8.4L17 7',
  spark: 'M12 3.5c.6 5 2.5 7.2 8 8.5-5.5 1.3-7.4 3.5-8 8.5-.6-5-2.5-7.2-8-8.5 5.5-1.3 7.4-3.5 8-8.5z',
  tool: 'M14.5 5.5a4.5 4.5 0 0 0-.8 5.3L5 19.5l-.5-.5 8.7-8.7a4.5 4.5 0 0 0 6-6l-2.7 2.7-2-.5-.5-2z',
  warn: 'M12 4 21 19.5H3zM12 10v4.5M12 17v.2',
  chevron: 'M7 10l5 5 5-5',
  truck:
    'M3 6.5h11v10H3zM14 10h4l3 3.5v3h-7zM7 19a1.7 1.7 0 1 0 0-3.4A1.7 1.7 0 0 0 7 19zM17 19a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  microphone:
    'M12 15a3.5 3.5 0 0 0 3.5-3.5v-5a3.5 3.5 0 0 0-7 0v5A3.5 3.5 0 0 0 12 15zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M9 21h6',
  phone:
    'M7.5 2.5h9a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 20V4a1.5 1.5 0 0 1 1.5-1.5zM10.5 18.5h3',
  back: 'M19.5 12h-14M11 6l-6 6 6 6',
} as const

/** The name of an icon. */
export type IconName = keyof typeof PATHS

/** A line icon in the colour of the text; never the only name of a control. `flips` mirrors it in right-to-left text. */
export function Icon({
  name,
  filled = false,
  flips = false,
}: {
  readonly name: IconName
  readonly filled?: boolean
  readonly flips?: boolean
}): ReactNode {
  return (
    <svg className={flips ? 'icon flips' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill={filled ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
