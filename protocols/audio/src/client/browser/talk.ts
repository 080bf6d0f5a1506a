import { createVoiceClient, type VoiceClient, type VoiceClientOptions } from '../voice-client.ts'
import { type Microphone, type MicrophoneError, openMicrophone } from './microphone.ts'
import { openSpeaker, type Speaker } from './speaker.ts'

/** Options of {@link startTalk}. */
export interface TalkOptions extends VoiceClientOptions {
  /** Only while {@link Talk.press} holds is anything recorded. @default false */
  readonly pushToTalk?: boolean
  /** Loudness of the microphone, 0 to 1. */
  readonly onLevel?: (level: number) => void
  /** The microphone was lost. */
  readonly onMicrophoneError?: (error: MicrophoneError) => void
  /** Where `@domos/audio/worklet` is served from the page's own origin. @default a blob URL */
  readonly workletUrl?: string
  /** A client of one's own, e.g. with listeners on it. @default a new one */
  readonly client?: VoiceClient
}

/** A conversation by voice in a page. */
export interface Talk {
  readonly client: VoiceClient
  readonly speaker: Speaker
  readonly microphone: Microphone
  /** Button down: silences the answer and listens. */
  press(): void
  /** Button up: the question is complete. */
  release(): void
  /** Silences the answer. */
  interrupt(): void
  stop(): Promise<void>
}

/**
 * Opens speaker, microphone and connection, in this order, and joins them. Call it in answer to a click.
 * @throws {@link MicrophoneError}; then nothing is left open
 */
export async function startTalk(options: TalkOptions = {}): Promise<Talk> {
  const { pushToTalk = false, workletUrl } = options
  const client = options.client ?? createVoiceClient(options)
  const worklet = workletUrl === undefined ? {} : { workletUrl }
  const speaker = await openSpeaker(worklet)
  let microphone: Microphone
  try {
    microphone = await openMicrophone({
      ...worklet,
      onAudio: (samples) => void client.sendAudio(samples),
      ...(options.onLevel === undefined ? {} : { onLevel: options.onLevel }),
      ...(options.onMicrophoneError === undefined ? {} : { onError: options.onMicrophoneError }),
    })
  } catch (thrown) {
    await speaker.close()
    throw thrown
  }
  microphone.isMuted = pushToTalk
  const stops = [
    client.on('speech-start', () => speaker.begin()),
    client.on('audio', (samples) => speaker.play(samples)),
    client.on('speech-end', ({ interrupted }) => (interrupted ? speaker.flush() : speaker.end())),
    client.on('link', ({ state }) => {
      if (state === 'waiting') speaker.flush()
    }),
  ]
  client.connect()
  if (pushToTalk) client.configure({ pushToTalk: true })
  return {
    client,
    speaker,
    microphone,
    press() {
      speaker.flush()
      client.interrupt()
      client.listen()
      microphone.isMuted = false
    },
    release() {
      microphone.isMuted = true
      client.commit()
    },
    interrupt() {
      speaker.flush()
      client.interrupt()
    },
    async stop() {
      for (const stop of stops) stop()
      client.close()
      await Promise.all([microphone.close(), speaker.close()])
    },
  }
}
