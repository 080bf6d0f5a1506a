import { createVoiceClient } from '@domos/audio/client'

/** Joins a microphone and a speaker to a server; returns what sends samples, and what ends it. */
export function speakWith(url: string, play: (samples: Int16Array) => void, caption: (line: string) => void) {
  const client = createVoiceClient({ url, deviceId: 'kitchen-1' }) // ws://localhost:3000/audio
  client.on('audio', play) // 16 kHz mono, at the pace of speech
  client.on('transcript', ({ role, text, isFinal }) => isFinal && caption(`${role}: ${text}`))
  client.on('error', ({ message }) => caption(message))
  client.connect() // and again after 1, 2, 4 … 30 s whenever the line breaks
  return client
}
