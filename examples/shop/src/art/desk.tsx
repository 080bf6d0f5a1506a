import type { ReactNode } from 'react'

/** Mechanical Keyboard. */
export function Keyboard(): ReactNode {
  const rows = [0, 1, 2]
  const columns = [0, 1, 2, 3, 4, 5, 6, 7]
  return (
    <g transform="translate(0 18)">
      <rect x="26" y="80" width="188" height="96" rx="14" fill="#2f3e5c" />
      <rect x="34" y="86" width="172" height="82" rx="9" fill="#3f5278" />
      {rows.flatMap((row) =>
        columns.map((column) => {
          const accent = (row === 0 && column === 0) || (row === 1 && column === 7)
          return (
            <g key={`${row},${column}`}>
              <rect
                x={40 + column * 20.3}
                y={91 + row * 18}
                width="17.5"
                height="15.5"
                rx="4"
                fill={accent ? '#b84f28' : '#cfd6e4'}
              />
              <rect
                x={42 + column * 20.3}
                y={91 + row * 18}
                width="13.5"
                height="11"
                rx="3"
                fill={accent ? '#ee8a57' : '#f7f3ea'}
              />
            </g>
          )
        }),
      )}
      <rect x="78" y="146" width="84" height="15.5" rx="4" fill="#cfd6e4" />
      <rect x="80" y="146" width="80" height="11" rx="3" fill="#f7f3ea" />
      <rect x="40" y="146" width="34" height="15.5" rx="4" fill="#f2b95f" />
      <rect x="166" y="146" width="34" height="15.5" rx="4" fill="#f2b95f" />
      <path d="M120 80V62c0-10 12-8 12-20" fill="none" stroke="#2f3e5c" strokeWidth="5" strokeLinecap="round" />
    </g>
  )
}

/** Vertical Mouse. */
export function Mouse(): ReactNode {
  return (
    <>
      <ellipse cx="122" cy="186" rx="66" ry="12" fill="#000" opacity=".1" />
      <path d="M60 184c0-40 4-82 40-112 26-22 56-6 60 28 4 30 16 54 22 84z" fill="#3c3a52" />
      <path d="M100 72c26-22 56-6 60 28 4 30 16 54 22 84h-42c0-44-8-86-40-112z" fill="#56536f" />
      <path d="M104 88c18 14 28 36 33 62" fill="none" stroke="#2a293b" strokeWidth="3" />
      <rect x="118" y="88" width="13" height="30" rx="6.5" fill="#f2a65a" transform="rotate(-24 124 103)" />
      <path d="M74 150c6-22 14-38 26-52" fill="none" stroke="#6f6b8c" strokeWidth="5" strokeLinecap="round" />
    </>
  )
}

/** Arc Desk Lamp. */
export function Lamp(): ReactNode {
  return (
    <>
      <path d="M150 92 206 196H96z" fill="#ffe7a8" opacity=".75" />
      <path d="M74 192V120c0-64 76-76 84-34" fill="none" stroke="#24483e" strokeWidth="9" strokeLinecap="round" />
      <path d="M128 98a30 30 0 0 1 58-14z" fill="#24483e" />
      <path d="M132 99 184 86a27 15 0 0 1-52 13z" fill="#fff4cf" />
      <ellipse cx="78" cy="193" rx="38" ry="9" fill="#1b372f" />
      <ellipse cx="78" cy="189" rx="38" ry="9" fill="#2f6153" />
    </>
  )
}

/** Dotted Notebook. */
export function Notebook(): ReactNode {
  const grid = [0, 1, 2, 3, 4]
  return (
    <g transform="rotate(-8 120 124)">
      <rect x="66" y="52" width="116" height="150" rx="8" fill="#d9cdb6" />
      <rect x="62" y="48" width="116" height="150" rx="8" fill="#fffaf0" />
      <path d="M54 56a8 8 0 0 1 8-8h98a8 8 0 0 1 8 8v134a8 8 0 0 1-8 8H62a8 8 0 0 1-8-8z" fill="#a83f45" />
      <rect x="54" y="48" width="20" height="150" rx="8" fill="#842d36" />
      <rect x="92" y="76" width="58" height="34" rx="4" fill="#fbeedb" />
      {grid.flatMap((x) =>
        grid
          .slice(0, 3)
          .map((y) => <circle key={`${x},${y}`} cx={101 + x * 10} cy={84 + y * 9} r="1.6" fill="#a83f45" />),
      )}
      <path d="M140 198v20l-6-6-6 6v-20z" fill="#f2b95f" />
      <rect x="152" y="48" width="6" height="150" fill="#842d36" />
    </g>
  )
}

/** Brass Pen. */
export function Pen(): ReactNode {
  return (
    <>
      <path d="M48 182c22-18 30 12 50-4s22-6 34-2" fill="none" stroke="#38507e" strokeWidth="5" strokeLinecap="round" />
      <g transform="rotate(42 120 120)">
        <rect x="108" y="28" width="24" height="120" rx="6" fill="#c99a3f" />
        <rect x="108" y="28" width="9" height="120" rx="4" fill="#e6c377" />
        <rect x="106" y="92" width="28" height="7" rx="2" fill="#8d6722" />
        <path d="M108 148h24l-8 34h-8z" fill="#a87c2c" />
        <path d="M116 182h8l-4 16z" fill="#2b2a3d" />
        <rect x="112" y="18" width="16" height="14" rx="4" fill="#8d6722" />
      </g>
    </>
  )
}
