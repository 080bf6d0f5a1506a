import type { ReactNode } from 'react'

/** Stoneware Mug. */
export function Mug(): ReactNode {
  return (
    <>
      <path
        d="M98 62c-8-10 8-14 0-26M122 62c-8-10 8-14 0-26"
        fill="none"
        stroke="#fff"
        strokeWidth="6"
        strokeLinecap="round"
        opacity=".8"
      />
      <path d="M160 104h14a24 24 0 0 1 0 56h-16" fill="none" stroke="#35606b" strokeWidth="14" />
      <path d="M58 80h106v84a32 32 0 0 1-32 32H90a32 32 0 0 1-32-32z" fill="#35606b" />
      <path d="M58 80h106v42c-16 14-26-8-40 6s-24-10-38 2-18 2-28-4z" fill="#7fb2b4" />
      <ellipse cx="111" cy="80" rx="53" ry="12" fill="#a9d0cf" />
      <ellipse cx="111" cy="82" rx="43" ry="8" fill="#5b3422" />
    </>
  )
}

/** Gooseneck Kettle. */
export function Kettle(): ReactNode {
  return (
    <>
      <path d="M84 160C52 158 62 92 34 88" fill="none" stroke="#2b2a3d" strokeWidth="10" strokeLinecap="round" />
      <path d="M156 92c50-12 56 70 14 82" fill="none" stroke="#8a5a33" strokeWidth="11" strokeLinecap="round" />
      <path d="M86 88h68l22 96a10 10 0 0 1-10 12H74a10 10 0 0 1-10-12z" fill="#2b2a3d" />
      <path d="M94 96h14l-10 90H82z" fill="#55536d" />
      <path d="M84 88a36 18 0 0 1 72 0z" fill="#454360" />
      <circle cx="120" cy="66" r="9" fill="#8a5a33" />
      <rect x="56" y="194" width="128" height="10" rx="5" fill="#8d8aa5" />
    </>
  )
}

/** Glass Teapot. */
export function Teapot(): ReactNode {
  return (
    <>
      <path
        d="M60 128c-26-2-18-38-40-42"
        fill="none"
        stroke="#9cc5cb"
        strokeWidth="9"
        strokeLinecap="round"
        transform="translate(14 8)"
      />
      <path d="M176 108c42-8 42 62-4 64" fill="none" stroke="#9cc5cb" strokeWidth="9" />
      <circle cx="118" cy="138" r="62" fill="#e3f3f3" opacity=".9" />
      <path d="M57 130h122a62 62 0 0 1-122 12z" fill="#d98a2b" opacity=".88" />
      <path d="M102 96h32v58a16 16 0 0 1-32 0z" fill="#8fa1a6" />
      <path
        d="M102 110h32M102 122h32M102 134h32M102 146h32M110 98v68M118 98v72M126 98v68"
        stroke="#6d8087"
        strokeWidth="2"
      />
      <path d="M86 84a34 14 0 0 1 64 0z" fill="#9cc5cb" />
      <circle cx="118" cy="66" r="9" fill="#b9814c" />
      <path d="M72 112c4-12 12-20 20-24" fill="none" stroke="#fff" strokeWidth="5" strokeLinecap="round" />
    </>
  )
}

/** Hand Grinder. */
export function Grinder(): ReactNode {
  return (
    <>
      <path d="M120 62h52" stroke="#2b2a3d" strokeWidth="9" strokeLinecap="round" />
      <ellipse cx="178" cy="52" rx="12" ry="16" fill="#8a5a33" />
      <rect x="112" y="56" width="16" height="26" fill="#2b2a3d" />
      <path d="M84 82h72v10H84z" fill="#55536d" />
      <rect x="88" y="92" width="64" height="62" rx="4" fill="#b8bcc9" />
      <rect x="88" y="92" width="20" height="62" rx="4" fill="#d8dbe4" />
      <rect x="84" y="116" width="72" height="26" rx="6" fill="#8a5a33" />
      <rect x="92" y="154" width="56" height="48" rx="8" fill="#3c3a52" />
      <g fill="#5b3422">
        <ellipse cx="52" cy="190" rx="13" ry="9" transform="rotate(-24 52 190)" />
        <ellipse cx="186" cy="196" rx="13" ry="9" transform="rotate(18 186 196)" />
        <ellipse cx="206" cy="176" rx="11" ry="8" transform="rotate(-40 206 176)" />
      </g>
      <path d="M42 194c8-6 12-2 20-8M176 193c8 4 12 0 20 6" stroke="#a9744f" strokeWidth="2.5" fill="none" />
    </>
  )
}
