import { MicrophoneError, startTalk, type Talk } from '@domos/audio/client'

/** What the test sees of the page. */
export interface VoiceClientPage {
  start(url: string, workletUrl: string | undefined): Promise<string>
  readonly levels: number[]
  readonly transcripts: string[]
  readonly talk: Talk | undefined
}

const levels: number[] = []
const transcripts: string[] = []
let talk: Talk | undefined

const page: VoiceClientPage = {
  levels,
  transcripts,
  get talk() {
    return talk
  },
  async start(url, workletUrl) {
    try {
      talk = await startTalk({
        url,
        onLevel: (level) => void levels.push(level),
        ...(workletUrl === undefined ? {} : { workletUrl }),
      })
      talk.client.on('transcript', ({ role, text }) => void transcripts.push(`${role}: ${text}`))
      return 'started'
    } catch (thrown) {
      return thrown instanceof MicrophoneError ? thrown.kind : `unexpected: ${String(thrown)}`
    }
  },
}
Object.assign(globalThis, { voicePage: page })
