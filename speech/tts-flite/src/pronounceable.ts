const SPOKEN: Readonly<Record<string, string>> = {
  '€': ' euros ',
  '£': ' pounds ',
  '¥': ' yen ',
  '°': ' degrees ',
  '×': ' times ',
  '÷': ' divided by ',
  '±': ' plus or minus ',
  '½': ' one half ',
  '¼': ' one quarter ',
  '¾': ' three quarters ',
  '≤': ' at most ',
  '≥': ' at least ',
  '→': ' to ',
  '…': '...',
  '–': ', ',
  '—': ', ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
}

/**
 * The text as flite can say it: letters without accents, a few signs as words, nothing but printable ASCII. A price with the
 * sign in front is turned round ("€5" is five euros). Empty when nothing of it can be said.
 */
export function toPronounceable(text: string): string {
  const ascii = text
    .replace(/([€£¥])\s?(\d+(?:[.,]\d+)*)/g, '$2$1')
    .replace(/[\u0080-\uffff]/g, (sign) => SPOKEN[sign] ?? sign)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, ' ')
    .replace(/[*_`#|<>{}[\]\\^~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /[A-Za-z0-9$%&@+=]/.test(ascii) ? ascii : ''
}
