/** What the agent says by itself when the model gives nothing to say. */
export interface AgentSentences {
  /** The model's answer was empty. */
  readonly emptyAnswer: string
  /** The step limit ended the turn. */
  readonly stepLimit: string
  /** Stands in the conversation (not shown) where an answer failed. */
  readonly failedAnswer: string
  /** Stands in the conversation (not shown) where an answer was stopped. */
  readonly stoppedAnswer: string
}

/** The English sentences. */
export const ENGLISH_SENTENCES: AgentSentences = {
  emptyAnswer: 'I have no answer to that. Please say it in other words.',
  stepLimit: 'I stopped here because this took too many steps. Tell me how to go on.',
  failedAnswer: '(This answer could not be given.)',
  stoppedAnswer: '(This answer was stopped.)',
}

/** Sentences by language; the part before the first hyphen of a BCP 47 tag decides. */
export const SENTENCES: Readonly<Record<string, AgentSentences>> = {
  en: ENGLISH_SENTENCES,
  de: {
    emptyAnswer: 'Darauf habe ich keine Antwort. Bitte sagen Sie es mit anderen Worten.',
    stepLimit: 'Ich habe hier aufgehört, weil es zu viele Schritte wurden. Sagen Sie mir, wie es weitergehen soll.',
    failedAnswer: '(Diese Antwort konnte nicht gegeben werden.)',
    stoppedAnswer: '(Diese Antwort wurde abgebrochen.)',
  },
}

/** The sentences of a language, English where there are none. */
export function sentencesFor(language: string | undefined): AgentSentences {
  const primary = (language ?? 'en').toLowerCase().split('-')[0] ?? 'en'
  return Object.hasOwn(SENTENCES, primary) ? (SENTENCES[primary] ?? ENGLISH_SENTENCES) : ENGLISH_SENTENCES
}
