import type { ReactNode } from 'react'

/** Roll-top Backpack. */
export function Backpack(): ReactNode {
  return (
    <>
      <path d="M92 66c0-34 56-34 56 0" fill="none" stroke="#4a3620" strokeWidth="8" />
      <path d="M64 84h112l10 96a20 20 0 0 1-20 22H74a20 20 0 0 1-20-22z" fill="#7d8a4a" />
      <path
        d="M60 60h120a10 10 0 0 1 10 10v16a10 10 0 0 1-10 10H60a10 10 0 0 1-10-10V70a10 10 0 0 1 10-10z"
        fill="#97a55f"
      />
      <path d="M50 78h140" stroke="#7d8a4a" strokeWidth="4" />
      <path d="M84 60v66M156 60v66" stroke="#4a3620" strokeWidth="10" />
      <rect x="76" y="112" width="16" height="18" rx="3" fill="#e2b660" />
      <rect x="148" y="112" width="16" height="18" rx="3" fill="#e2b660" />
      <rect x="78" y="142" width="84" height="46" rx="10" fill="#697640" />
      <path d="M78 156h84" stroke="#556033" strokeWidth="4" />
      <rect x="112" y="150" width="16" height="12" rx="3" fill="#e2b660" />
    </>
  )
}

/** Steel Bottle. */
export function Bottle(): ReactNode {
  return (
    <>
      <rect x="102" y="34" width="36" height="30" rx="7" fill="#2b2a3d" />
      <path d="M100 44h40" stroke="#55536d" strokeWidth="4" />
      <path
        d="M100 64h40c0 18 20 20 20 44v82a16 16 0 0 1-16 16H96a16 16 0 0 1-16-16v-82c0-24 20-26 20-44z"
        fill="#3f79a8"
      />
      <path d="M100 64h14c0 20-18 22-18 46v88c0 4 2 8 2 8h-2a16 16 0 0 1-16-16v-82c0-24 20-26 20-44z" fill="#6aa0c9" />
      <path d="M80 146c26-16 40 14 80-6v50a16 16 0 0 1-16 16H96a16 16 0 0 1-16-16z" fill="#f2b95f" />
      <path d="M80 164c26-16 40 14 80-6v32a16 16 0 0 1-16 16H96a16 16 0 0 1-16-16z" fill="#e4703f" />
      <path d="M98 64h44" stroke="#c8d8e6" strokeWidth="6" />
    </>
  )
}

/** Rain Umbrella. */
export function Umbrella(): ReactNode {
  return (
    <>
      <g stroke="#6aa0c9" strokeWidth="5" strokeLinecap="round">
        <path d="m40 44-6 14M76 28l-6 14M196 40l-6 14M160 24l-6 14M206 84l-5 12" />
      </g>
      <path d="M120 60v120a18 18 0 0 0 36 0" fill="none" stroke="#8a5a33" strokeWidth="8" strokeLinecap="round" />
      <path d="M120 50v14" stroke="#2b2a3d" strokeWidth="6" strokeLinecap="round" />
      <path
        d="M32 140a88 80 0 0 1 176 0c-10-12-34-12-44 0-10-12-34-12-44 0-10-12-34-12-44 0-10-12-34-12-44 0z"
        fill="#f2b95f"
      />
      <path d="M120 60c-24 18-44 44-44 80-10-12-34-12-44 0a88 80 0 0 1 88-80z" fill="#e09c3c" />
      <path d="M120 60c-24 18-44 44-44 80 10-12 34-12 44 0z" fill="#f7cd86" />
      <path d="M120 60c24 18 44 44 44 80 10-12 34-12 44 0a88 80 0 0 0-88-80z" fill="#f7cd86" />
    </>
  )
}
