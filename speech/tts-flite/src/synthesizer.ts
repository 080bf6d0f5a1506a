/** One sentence to speak; the text is printable ASCII. */
export interface FliteRequest {
  readonly text: string
  readonly voice: string
  readonly speed: number
}

/** One sentence spoken. */
export interface FliteSpeech {
  readonly samples: Int16Array
  readonly sampleRateHz: number
}

/** A loaded flite, native or WebAssembly. Synchronous: it runs in a worker process. */
export interface FliteSynthesizer {
  readonly backend: 'native' | 'wasi'
  speak(request: FliteRequest): FliteSpeech
}

/** The voices of both back-ends that speak at 16 kHz, the default first. */
export const FLITE_VOICES = [
  { id: 'rms', language: 'en-US', description: 'male, the clearest' },
  { id: 'slt', language: 'en-US', description: 'female, natural' },
  { id: 'awb', language: 'en-GB', description: 'male, Scottish' },
  { id: 'kal16', language: 'en-US', description: 'male, robotic, the fastest' },
] as const
