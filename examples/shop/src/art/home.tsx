import type { ReactNode } from 'react'

/** Potted Monstera. */
export function Monstera(): ReactNode {
  return (
    <>
      <path
        d="M120 150C118 110 92 96 74 84M120 150c2-46 22-66 44-76M120 150c-2-40-2-60 0-96"
        fill="none"
        stroke="#2c5a3d"
        strokeWidth="5"
      />
      <path d="M120 108c-26-22-24-58 0-78 24 20 26 56 0 78z" fill="#4c9a63" />
      <path d="M90 116c-36 6-58-14-60-44 32-8 60 8 60 44z" fill="#2f7a4b" />
      <path d="M146 110c-2-36 22-58 58-54 4 32-20 58-58 54z" fill="#3b8a57" />
      <path d="M120 100V44M84 110 44 78M152 104l40-38" stroke="#cfe8c8" strokeWidth="2.5" opacity=".7" />
      <path
        d="m40 92 12-6M54 108l12-10M186 84l-10-4M170 100l-8-8M104 76l10 4M136 76l-10 4"
        stroke="#e9efdc"
        strokeWidth="5"
        strokeLinecap="round"
        opacity=".55"
      />
      <path d="M76 146h88l-12 56H88z" fill="#c4623c" />
      <rect x="70" y="138" width="100" height="18" rx="5" fill="#d97a50" />
      <path d="M92 156h14l4 46H98z" fill="#d97a50" />
    </>
  )
}

/** Cedar Candle. */
export function Candle(): ReactNode {
  return (
    <>
      <circle cx="120" cy="74" r="44" fill="#ffdf94" opacity=".55" />
      <path d="M120 42c16 20 18 30 12 42a14 14 0 0 1-24 0c-6-12 2-22 12-42z" fill="#f2933d" />
      <path d="M120 62c7 9 8 15 5 21a6 6 0 0 1-10 0c-3-6 0-11 5-21z" fill="#fff3c9" />
      <path d="M120 90v16" stroke="#2b2a3d" strokeWidth="4" strokeLinecap="round" />
      <path d="M72 104h96v82a14 14 0 0 1-14 14H86a14 14 0 0 1-14-14z" fill="#8f4a20" />
      <path d="M72 104h96v26H72z" fill="#f6e3c3" />
      <ellipse cx="120" cy="104" rx="48" ry="9" fill="#fff5e0" />
      <rect x="88" y="144" width="64" height="38" rx="4" fill="#fbeedb" />
      <path d="m120 148 10 14h-6l8 12h-24l8-12h-6z" fill="#24483e" />
    </>
  )
}

/** Wool Blanket. */
export function Blanket(): ReactNode {
  return (
    <>
      <path
        d="M46 196v10M62 196v10M78 196v10M94 196v10M110 196v10M126 196v10M142 196v10M158 196v10M174 196v10M190 196v10"
        stroke="#b8433f"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <rect x="36" y="146" width="168" height="52" rx="16" fill="#b8433f" />
      <rect x="40" y="104" width="160" height="50" rx="18" fill="#d9605a" />
      <rect x="46" y="64" width="148" height="48" rx="18" fill="#b8433f" />
      <path d="M84 64v48M156 64v48M78 104v50M162 104v50M74 146v52M166 146v52" stroke="#f6d7b0" strokeWidth="7" />
      <path d="M46 88h148M40 130h160M36 172h168" stroke="#f6d7b0" strokeWidth="5" opacity=".75" />
      <path d="M46 80a16 16 0 0 1 16-16h58" fill="none" stroke="#fff" strokeWidth="3" opacity=".25" />
    </>
  )
}

/** Wall Clock. */
export function Clock(): ReactNode {
  return (
    <>
      <circle cx="120" cy="122" r="78" fill="#24483e" />
      <circle cx="120" cy="122" r="66" fill="#fdf6ea" />
      <g stroke="#24483e" strokeWidth="5" strokeLinecap="round">
        <path d="M120 64v10M120 170v10M62 122h10M168 122h10" />
      </g>
      <g stroke="#9fb0a6" strokeWidth="3" strokeLinecap="round">
        <path d="m149 72-3 5M170 93l-5 3M170 151l-5-3M149 172l-3-5M91 172l3-5M70 151l5-3M70 93l5 3M91 72l3 5" />
      </g>
      <path d="M120 122 94 96" stroke="#24483e" strokeWidth="8" strokeLinecap="round" />
      <path d="m120 122 36-20" stroke="#24483e" strokeWidth="6" strokeLinecap="round" />
      <path d="m110 138 22-34" stroke="#e4703f" strokeWidth="3" strokeLinecap="round" />
      <circle cx="120" cy="122" r="6" fill="#e4703f" />
    </>
  )
}
