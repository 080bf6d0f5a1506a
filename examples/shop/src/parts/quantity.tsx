import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

/** One less, the number, one more. */
export function QuantityStepper({
  value,
  most,
  name,
  onChange,
}: {
  readonly value: number
  readonly most: number
  readonly name: string
  readonly onChange: (value: number) => void
}): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border that a stepper has no use for
    <div className="stepper" role="group" aria-label={`Quantity of ${name}`}>
      <button type="button" aria-label="One less" disabled={value <= 1} onClick={() => onChange(value - 1)}>
        <Icon name="minus" />
      </button>
      <output aria-live="polite">{value}</output>
      <button type="button" aria-label="One more" disabled={value >= most} onClick={() => onChange(value + 1)}>
        <Icon name="plus" />
      </button>
    </div>
  )
}
