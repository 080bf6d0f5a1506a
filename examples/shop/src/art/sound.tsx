import type { ReactNode } from 'react'

/** Pro Headphones. */
export function Headphones(): ReactNode {
  return (
    <>
      <path d="M62 138V112a58 58 0 0 1 116 0v26" fill="none" stroke="#1f3b57" strokeWidth="13" strokeLinecap="round" />
      <path d="M70 100a50 50 0 0 1 100 0" fill="none" stroke="#4d7399" strokeWidth="4" strokeLinecap="round" />
      <rect x="44" y="122" width="40" height="66" rx="19" fill="#1f3b57" />
      <rect x="156" y="122" width="40" height="66" rx="19" fill="#1f3b57" />
      <rect x="72" y="118" width="22" height="74" rx="11" fill="#e4703f" />
      <rect x="146" y="118" width="22" height="74" rx="11" fill="#e4703f" />
      <circle cx="58" cy="155" r="7" fill="#4d7399" />
      <circle cx="182" cy="155" r="7" fill="#4d7399" />
    </>
  )
}

/** Mini Earbuds. */
export function Earbuds(): ReactNode {
  return (
    <>
      <rect x="58" y="122" width="124" height="70" rx="33" fill="#fdf6ea" />
      <path d="M58 152h124v7a33 33 0 0 1-33 33H91a33 33 0 0 1-33-33z" fill="#e8d9c1" />
      <circle cx="120" cy="172" r="5" fill="#2f7f6b" />
      <g fill="#2b2a3d">
        <path d="M84 60a22 22 0 0 1 22 22v46a9 9 0 0 1-18 0v-25a22 22 0 1 1-4-43z" />
        <path d="M156 60a22 22 0 0 0-22 22v46a9 9 0 0 0 18 0v-25a22 22 0 1 0 4-43z" />
      </g>
      <circle cx="80" cy="82" r="9" fill="#f2a65a" />
      <circle cx="160" cy="82" r="9" fill="#f2a65a" />
      <path d="M58 152a33 33 0 0 1 7-14h110a33 33 0 0 1 7 14z" fill="#fdf6ea" />
    </>
  )
}

/** Pebble Speaker. */
export function Speaker(): ReactNode {
  const dots = [-2, -1, 0, 1, 2].flatMap((row) => [-2, -1, 0, 1, 2].map((column) => [row, column] as const))
  return (
    <>
      <path d="M172 84c26 8 34 34 18 50" fill="none" stroke="#7c3f2c" strokeWidth="7" strokeLinecap="round" />
      <ellipse cx="120" cy="132" rx="72" ry="66" fill="#c9583a" />
      <ellipse cx="114" cy="126" rx="60" ry="55" fill="#df7552" />
      <ellipse cx="114" cy="128" rx="44" ry="42" fill="#7c3f2c" />
      <g fill="#f6c9a8">
        {dots.map(([row, column]) => (
          <circle
            key={`${row},${column}`}
            cx={114 + column * 14}
            cy={128 + row * 13}
            r={Math.abs(row) + Math.abs(column) > 3 ? 0 : 3.2}
          />
        ))}
      </g>
    </>
  )
}

/** Oak Turntable. */
export function Turntable(): ReactNode {
  return (
    <>
      <rect x="34" y="70" width="172" height="116" rx="10" fill="#b9814c" />
      <path
        d="M34 96c40-8 60 8 100 0s50-6 72 0M34 168c30 8 60-8 92 0s56 4 80-2"
        fill="none"
        stroke="#a26c3b"
        strokeWidth="3"
      />
      <circle cx="104" cy="128" r="50" fill="#22232f" />
      <circle cx="104" cy="128" r="40" fill="none" stroke="#3b3c4c" strokeWidth="2" />
      <circle cx="104" cy="128" r="31" fill="none" stroke="#3b3c4c" strokeWidth="2" />
      <circle cx="104" cy="128" r="18" fill="#e4703f" />
      <circle cx="104" cy="128" r="3.5" fill="#fdf6ea" />
      <path
        d="M182 88v52l-34 22"
        fill="none"
        stroke="#f4ead8"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="182" cy="88" r="11" fill="#f4ead8" />
      <rect x="138" y="155" width="17" height="13" rx="3" fill="#22232f" transform="rotate(-33 146 161)" />
      <rect x="48" y="186" width="22" height="9" rx="3" fill="#5a3d22" />
      <rect x="170" y="186" width="22" height="9" rx="3" fill="#5a3d22" />
    </>
  )
}
