import { requestJoinToken } from '@domos/core/join'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useAgentClient } from '../agent/client.ts'
import { SHOP_VOCABULARY } from './vocabulary.ts'
import { voiceAddresses } from './voice-addresses.ts'
import { VoiceLink } from './voice-link.ts'
import type { VoiceView } from './voice-state.ts'

/** The microphone of this page, in the session of this page. */
export function useVoice(): { readonly link: VoiceLink; readonly view: VoiceView } {
  const client = useAgentClient()
  const [link] = useState(
    () =>
      new VoiceLink({
        ...voiceAddresses(location),
        vocabulary: SHOP_VOCABULARY,
        joinToken: async () => (await requestJoinToken(client)).token,
      }),
  )
  useEffect(() => {
    let session = client.sessionId
    const off = client.onEvent('session.started', ({ sessionId }) => {
      // The server began anew: the old session, with the microphone in it, has no page any more.
      if (session !== undefined && sessionId !== session) void link.rejoin()
      session = sessionId
    })
    return () => {
      off()
      link.stop()
    }
  }, [client, link])
  return { link, view: useSyncExternalStore(link.subscribe, link.view) }
}
