/** Whether an answer is being spoken on a connection. */
export type SpeechState = 'quiet' | 'speaking'

/** What the pipeline reports. `lost`: the session or connection is given up. */
export type SpeechEvent = 'start' | 'audio' | 'end' | 'lost'

/** What goes out. */
export type SpeechAction = 'open' | 'close-and-open' | 'send' | 'close' | 'drop' | 'nothing'

/** Every state with every event: `tts_start` and `tts_end` stay strictly paired, with no audio outside, whatever comes in. */
export const speechTable: Readonly<
  Record<SpeechState, Readonly<Record<SpeechEvent, readonly [SpeechState, SpeechAction]>>>
> = {
  quiet: {
    start: ['speaking', 'open'],
    audio: ['quiet', 'drop'],
    end: ['quiet', 'nothing'],
    lost: ['quiet', 'nothing'],
  },
  speaking: {
    start: ['speaking', 'close-and-open'],
    audio: ['speaking', 'send'],
    end: ['quiet', 'close'],
    lost: ['quiet', 'close'],
  },
}
