/** What the dialog says in one language. `{…}` are filled in. */
export interface Catalogue {
  readonly titleHigh: string
  readonly titleCritical: string
  readonly agentAsks: string
  readonly pageAsks: string
  readonly riskHigh: string
  readonly riskCritical: string
  readonly describedAs: string
  readonly alsoSays: string
  readonly withArguments: string
  readonly noArguments: string
  readonly moreBelow: string
  readonly emptyText: string
  readonly emptyList: string
  readonly yes: string
  readonly no: string
  readonly nothing: string
  readonly approve: string
  readonly deny: string
  readonly word: string
  readonly typeWord: string
  readonly waiting: string
  readonly expires: string
  readonly position: string
  readonly covered: string
  readonly notice: string
}

const english: Catalogue = {
  titleHigh: 'Allow this action?',
  titleCritical: 'Allow this critical action?',
  agentAsks: 'The assistant wants to run a tool on {host}. It has not run yet.',
  pageAsks: 'A script on {host} wants to run a tool. It has not run yet.',
  riskHigh: 'High risk',
  riskCritical: 'Critical',
  describedAs: 'What the page says it does',
  alsoSays: 'The page adds',
  withArguments: 'With exactly these values',
  noArguments: 'It takes no values.',
  moreBelow: '↓ More',
  emptyText: 'empty text',
  emptyList: 'none',
  yes: 'yes',
  no: 'no',
  nothing: 'nothing',
  approve: 'Approve',
  deny: 'Deny',
  word: 'APPROVE',
  typeWord: 'To confirm, type {word}',
  waiting: 'One moment …',
  expires: 'Denied by itself in {time}',
  position: 'Question 1 of {count}',
  covered: 'Something covers or changes this dialog. Approve works again once it is in plain view.',
  notice: 'The assistant used {tool}',
}

const german: Catalogue = {
  titleHigh: 'Diese Aktion erlauben?',
  titleCritical: 'Diese kritische Aktion erlauben?',
  agentAsks: 'Der Assistent möchte auf {host} ein Werkzeug ausführen. Noch ist nichts geschehen.',
  pageAsks: 'Ein Skript auf {host} möchte ein Werkzeug ausführen. Noch ist nichts geschehen.',
  riskHigh: 'Hohes Risiko',
  riskCritical: 'Kritisch',
  describedAs: 'Was es laut der Seite tut',
  alsoSays: 'Die Seite ergänzt',
  withArguments: 'Mit genau diesen Werten',
  noArguments: 'Es bekommt keine Werte.',
  moreBelow: '↓ Mehr',
  emptyText: 'leerer Text',
  emptyList: 'keine',
  yes: 'ja',
  no: 'nein',
  nothing: 'nichts',
  approve: 'Erlauben',
  deny: 'Ablehnen',
  word: 'ERLAUBEN',
  typeWord: 'Zum Bestätigen {word} eintippen',
  waiting: 'Einen Moment …',
  expires: 'Wird von selbst abgelehnt in {time}',
  position: 'Frage 1 von {count}',
  covered: 'Etwas verdeckt oder verändert diesen Dialog. Erlauben geht wieder, sobald er frei zu sehen ist.',
  notice: 'Der Assistent hat {tool} benutzt',
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
