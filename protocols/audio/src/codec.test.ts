import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { decode, encode } from './codec.ts'
import { DEFAULT_VOICE_URL, defaultAudioDoorLimits, MAX_CLIENTS, MAX_FRAME_BYTES, PING_INTERVAL_MS } from './limits.ts'
import { messageInfos } from './messages.ts'
import { createWorld } from './test/world.ts'

/** Every JSON example of the document, where the documents are at hand. */
function documentExamples(): string[] {
  const folder = fileURLToPath(new URL('../../../../shared/spec', import.meta.url))
  if (!existsSync(folder)) return []
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .find((each) => each.includes('# WebSocket Voice Protocol'))
  return [...(text ?? '').matchAll(/```json[^\n]*\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
}

describe('the wire', () => {
  const examples = documentExamples()

  it.runIf(examples.length > 0)('every example of the document is read and written without a change', () => {
    expect(examples).toHaveLength(10)
    for (const example of examples) {
      const value: unknown = JSON.parse(example)
      const results = [decode(example, 'to-client'), decode(example, 'to-server')]
      const fitting = results.find((result) => result.ok)
      expect(fitting, example).toBeDefined()
      if (fitting?.ok !== true) continue
      expect(fitting.message).toEqual(value)
      expect(JSON.parse(encode(fitting.message))).toEqual(value)
    }
  })

  it('has the messages of the document in its table, with their directions', () => {
    const own = messageInfos.filter(({ origin }) => origin === 'document')
    expect(Object.fromEntries(own.map(({ type, directions }) => [type, directions.join()]))).toEqual({
      session_start: 'to-server',
      session_end: 'to-server',
      config: 'to-server,to-client',
      status: 'to-server,to-client',
      session_ack: 'to-client',
      tts_start: 'to-client',
      tts_end: 'to-client',
      error: 'to-client',
      transcript: 'to-client',
    })
  })

  it('AUDIO-URL-1, AUDIO-URL-2, AUDIO-FORMAT-2, AUDIO-LIMIT-2: has the numbers of the document', () => {
    expect(DEFAULT_VOICE_URL).toBe('ws://localhost:3000/audio')
    expect(createWorld().door.paths).toEqual(['/audio', '/ws/audio', '/webrtc'])
    expect(createWorld().door.maxFrameBytes).toBe(1_048_576)
    expect([MAX_FRAME_BYTES, MAX_CLIENTS, PING_INTERVAL_MS]).toEqual([1_048_576, 10, 30_000])
    expect(defaultAudioDoorLimits).toMatchObject({ maxClients: MAX_CLIENTS, maxFrameBytes: MAX_FRAME_BYTES })
  })
})
