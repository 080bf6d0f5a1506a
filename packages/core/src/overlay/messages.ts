/** What the dialog says in one language. `{…}` are filled in. */
export interface Catalogue {
  readonly title: string
  readonly asks: string
  readonly agent: string
  readonly page: string
  readonly riskHigh: string
  readonly riskCritical: string
  readonly describedAs: string
  readonly withArguments: string
  readonly moreBelow: string
  readonly emptyText: string
  readonly empty: string
  readonly yes: string
  readonly no: string
  readonly approve: string
  readonly deny: string
  readonly typeWord: string
  readonly expires: string
  readonly covered: string
  readonly notice: string
}

const english: Catalogue = {
  title: 'Allow this action?',
  asks: '{who} wants to run a tool on {host}. It has not run yet.',
  agent: 'The assistant',
  page: 'A script',
  riskHigh: 'High risk',
  riskCritical: 'Critical',
  describedAs: 'The page says',
  withArguments: 'With these values',
  moreBelow: '↓ More',
  emptyText: 'empty text',
  empty: 'nothing',
  yes: 'yes',
  no: 'no',
  approve: 'Approve',
  deny: 'Deny',
  typeWord: 'To confirm, type {word}',
  expires: 'Denied in {time}',
  covered: 'Approve works once nothing covers this dialog.',
  notice: '{who} used {tool}',
}

const german: Catalogue = {
  title: 'Diese Aktion erlauben?',
  asks: '{who} möchte auf {host} ein Werkzeug ausführen. Noch ist nichts geschehen.',
  agent: 'Der Assistent',
  page: 'Ein Skript',
  riskHigh: 'Hohes Risiko',
  riskCritical: 'Kritisch',
  describedAs: 'Die Seite sagt',
  withArguments: 'Mit diesen Werten',
  moreBelow: '↓ Mehr',
  emptyText: 'leerer Text',
  empty: 'nichts',
  yes: 'ja',
  no: 'nein',
  approve: 'Erlauben',
  deny: 'Ablehnen',
  typeWord: 'Zum Bestätigen {word} eintippen',
  expires: 'Abgelehnt in {time}',
  covered: 'Erlauben geht, sobald nichts den Dialog verdeckt.',
  notice: '{who} hat {tool} benutzt',
}

const CATALOGUES: Readonly<Record<string, Catalogue>> = { en: english, de: german }

/** The catalogue of a BCP 47 tag, and the tag it really is in; English where there is none. */
export function catalogueFor(language: string): { readonly catalogue: Catalogue; readonly language: string } {
  const base = language.toLowerCase().split('-')[0] ?? ''
  const catalogue = Object.hasOwn(CATALOGUES, base) ? CATALOGUES[base] : undefined
  return catalogue ? { catalogue, language: base } : { catalogue: english, language: 'en' }
}

/** Fills `{name}` in a sentence. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/** Minutes and seconds left, as `1:05`. */
export function clockTime(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
