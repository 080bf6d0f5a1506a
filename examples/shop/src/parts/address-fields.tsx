import type { ReactNode } from 'react'
import type { Account } from '../shop/shop-state.ts'

const FIELDS = [
  { key: 'name', label: 'Name', autoComplete: 'name', type: 'text' },
  { key: 'email', label: 'E-mail', autoComplete: 'email', type: 'email' },
  { key: 'street', label: 'Street and number', autoComplete: 'street-address', type: 'text' },
  { key: 'city', label: 'Postcode and town', autoComplete: 'address-level2', type: 'text' },
] as const

/** Someone with nothing filled in. */
export const NOBODY: Account = { name: '', email: '', street: '', city: '' }

/** Name and address, for the checkout and the account. */
export function AddressFields({
  value,
  onChange,
}: {
  readonly value: Account
  readonly onChange: (value: Account) => void
}): ReactNode {
  return (
    <div className="fields">
      {FIELDS.map(({ key, label, autoComplete, type }) => (
        <label key={key} className="field">
          <span>{label}</span>
          <input
            required
            type={type}
            name={key}
            autoComplete={autoComplete}
            value={value[key]}
            onChange={(event) => onChange({ ...value, [key]: event.target.value })}
          />
        </label>
      ))}
    </div>
  )
}
