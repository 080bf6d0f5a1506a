import type { ComponentType, CSSProperties, ReactNode } from 'react'
import type { Product } from '../shop/products.ts'
import { Keyboard, Lamp, Mouse, Notebook, Pen } from './desk.tsx'
import { Blanket, Candle, Clock, Monstera } from './home.tsx'
import { Grinder, Kettle, Mug, Teapot } from './kitchen.tsx'
import { Backpack, Bottle, Umbrella } from './outdoors.tsx'
import { Earbuds, Headphones, Speaker, Turntable } from './sound.tsx'

interface Art {
  readonly draw: ComponentType
  /** The wall behind it and the table below, by day. */
  readonly wall: string
  readonly table: string
}

const ART: Readonly<Record<string, Art>> = {
  'pro-headphones': { draw: Headphones, wall: '#f6dcc4', table: '#edc6a3' },
  'mini-earbuds': { draw: Earbuds, wall: '#cfe3da', table: '#b3d2c5' },
  'pebble-speaker': { draw: Speaker, wall: '#f3e3c3', table: '#e6cf9f' },
  'oak-turntable': { draw: Turntable, wall: '#d6dcec', table: '#bcc6de' },
  'mechanical-keyboard': { draw: Keyboard, wall: '#dfe3d2', table: '#c8cfb4' },
  'vertical-mouse': { draw: Mouse, wall: '#f0d9dd', table: '#e2bfc6' },
  'arc-desk-lamp': { draw: Lamp, wall: '#cfdfe6', table: '#b3cad5' },
  'dotted-notebook': { draw: Notebook, wall: '#e9e0f0', table: '#d4c6e0' },
  'brass-pen': { draw: Pen, wall: '#f4ecd9', table: '#e6d8b6' },
  'stoneware-mug': { draw: Mug, wall: '#f3dccb', table: '#e7c5ab' },
  'gooseneck-kettle': { draw: Kettle, wall: '#d9e5d6', table: '#c0d3bb' },
  'glass-teapot': { draw: Teapot, wall: '#ecd9e0', table: '#dcbfca' },
  'hand-grinder': { draw: Grinder, wall: '#efe4cf', table: '#dfcdab' },
  'potted-monstera': { draw: Monstera, wall: '#f6e2cf', table: '#eacbac' },
  'cedar-candle': { draw: Candle, wall: '#cddad6', table: '#b1c6bf' },
  'wool-blanket': { draw: Blanket, wall: '#d7e0ea', table: '#bdcbdb' },
  'wall-clock': { draw: Clock, wall: '#f3d9c0', table: '#e8c39f' },
  'rolltop-backpack': { draw: Backpack, wall: '#e6e0ce', table: '#d1c8ab' },
  'steel-bottle': { draw: Bottle, wall: '#dbe6e9', table: '#bfd2d8' },
  'rain-umbrella': { draw: Umbrella, wall: '#d3dbe9', table: '#b8c5db' },
}

/** A product's picture, drawn. Decorative by default; give `label` where it is all that names the product. */
export function Picture({
  product,
  label,
  className = '',
}: {
  readonly product: Product
  readonly label?: string
  readonly className?: string
}): ReactNode {
  const art = ART[product.id]
  if (!art) return null
  const Draw = art.draw
  const style = { '--wall': art.wall, '--table': art.table } as CSSProperties
  const drawing = (
    <svg viewBox="0 0 240 240" aria-hidden="true">
      <ellipse cx="120" cy="200" rx="74" ry="9" fill="#000" opacity=".09" />
      <Draw />
    </svg>
  )
  if (label === undefined) {
    return (
      <span className={`picture ${className}`} style={style}>
        {drawing}
      </span>
    )
  }
  return (
    <span className={`picture ${className}`} style={style} role="img" aria-label={label}>
      {drawing}
    </span>
  )
}
