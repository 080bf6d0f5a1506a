/** What the pipeline says by itself. */
export interface VoiceTexts {
  /** A risky call waits for a person at the page. */
  readonly approveOnScreen: string
  /** The turn failed and the model said nothing. */
  readonly failed: string
  /** Another answer is under way or too much was asked at once. */
  readonly busy: string
}

/** The English sentences. */
export const ENGLISH_VOICE_TEXTS: VoiceTexts = {
  approveOnScreen: 'Please approve this on your screen.',
  failed: 'Sorry, that did not work. Please try again.',
  busy: 'One moment, please. Ask me again shortly.',
}

const TEXTS: Readonly<Record<string, VoiceTexts>> = {
  en: ENGLISH_VOICE_TEXTS,
  de: {
    approveOnScreen: 'Bitte bestätigen Sie das auf Ihrem Bildschirm.',
    failed: 'Das hat leider nicht geklappt. Bitte versuchen Sie es noch einmal.',
    busy: 'Einen Moment bitte. Fragen Sie gleich noch einmal.',
  },
}

/** The sentences of a language, English where there are none. */
export function voiceTextsFor(language: string): VoiceTexts {
  const primary = language.toLowerCase().split('-')[0] ?? 'en'
  return Object.hasOwn(TEXTS, primary) ? (TEXTS[primary] ?? ENGLISH_VOICE_TEXTS) : ENGLISH_VOICE_TEXTS
}
