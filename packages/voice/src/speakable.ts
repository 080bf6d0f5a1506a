/**
 * Text as it is spoken: without markup, links by their words or their host, lists as sentences, signs that synthesisers leave
 * out as words. Numbers, dates and abbreviations stay as written, save for commas between thousands.
 */
export function speakable(text: string, language = 'en'): string {
  const words = SIGNS[language.toLowerCase().split('-')[0] ?? 'en'] ?? ENGLISH_SIGNS
  let spoken = text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/<https?:\/\/([^>\s]+)>/g, 'https://$1')
    .replace(URL_PATTERN, (_, host: string) => host.replace(/^www\./, ''))
    .replace(/<[^<>]{1,80}>/g, ' ')
    .replace(/`([^`]*)`/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(^|[\s("“])([*_])(?=\S)([^*_\n]*[^\s*_])\2(?=$|[\s.,;:!?)"”])/g, '$1$3')
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+/gm, '')
    .replace(/^[ \t]*>[ \t]?/gm, '')
    .replace(/^[ \t]*(?:[-*+•][ \t]+|\[[ xX]\][ \t]+)+/gm, '')
    .replace(/^[ \t]*[-*_=|:+ \t]{3,}$/gm, '')
    .replace(/[ \t]*\|[ \t]*/g, ', ')
    .replace(PICTURES, ' ')
  // A line that ends without a stop is a heading or list item; it is heard as a sentence of its own.
  spoken = spoken.replace(/([\p{L}\p{N})"'”’%])[ \t]*\n+/gu, '$1. ')
  spoken = spoken.replace(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?=\D|$)/g, (number) => number.replaceAll(',', ''))
  for (const [sign, word] of words) spoken = spoken.replace(sign, word)
  return spoken
    .replace(/[*_#~`^\\{}[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .replace(/,{2,}/g, ',')
    .replace(/^[\s.,;:]+(?=\D)/, '')
    .trim()
}

/** Whether there is something to pronounce. */
export function isPronounceable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

const URL_PATTERN = /\bhttps?:\/\/([^\s/?#)>\]]+)(?:[/?#][^\s)>\]]*[^\s)>\].,;:!?])?\/?/gi
const PICTURES = /(?:\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|[\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}])+/gu

const ENGLISH_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/(\d)\s?%/g, '$1 percent'],
  [/(\d)\s?°\s?C\b/g, '$1 degrees Celsius'],
  [/(\d)\s?°\s?F\b/g, '$1 degrees Fahrenheit'],
  [/(\d)\s?°/g, '$1 degrees'],
  [/€\s?(\d[\d.,]*\d|\d)/g, '$1 euros'],
  [/(\d)\s?€/g, '$1 euros'],
  [/£\s?(\d[\d.,]*\d|\d)/g, '$1 pounds'],
  [/\$\s?(\d[\d.,]*\d|\d)/g, '$1 dollars'],
  [/(\d)\s?[×x]\s?(?=\d)/g, '$1 times '],
  [/(\p{L})\s?&\s?(?=\p{L})/gu, '$1 and '],
  [/\s&\s/g, ' and '],
  [/\s=\s/g, ' equals '],
  [/\s\+\s/g, ' plus '],
  [/\s?[→⇒]\s?/g, ', then '],
]

const SIGNS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  en: ENGLISH_SIGNS,
  de: [
    [/(\d)\s?%/g, '$1 Prozent'],
    [/(\d)\s?°\s?C\b/g, '$1 Grad Celsius'],
    [/(\d)\s?°/g, '$1 Grad'],
    [/€\s?(\d[\d.,]*\d|\d)/g, '$1 Euro'],
    [/(\d)\s?€/g, '$1 Euro'],
    [/\s&\s/g, ' und '],
    [/\s=\s/g, ' gleich '],
    [/\s\+\s/g, ' plus '],
  ],
}
