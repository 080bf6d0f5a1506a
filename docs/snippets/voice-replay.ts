import { systemClock, type VoiceConversation } from '@domos/spec'
import { replayRecording } from '@domos/voice'
import { readVoiceRecording } from 'domos'

/** Says again what was said in a recording; settles when all of it has been pushed. */
export async function sayAgain(file: string, conversation: VoiceConversation): Promise<void> {
  await replayRecording(await readVoiceRecording(file), conversation, systemClock)
}
