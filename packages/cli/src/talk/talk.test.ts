import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { readWavHeader, wavHeader } from '@domos/audio'
import { createAudioDoor } from '@domos/audio/door'
import { createServer, type Server } from '@domos/server'
import { systemClock } from '@domos/spec'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeHouse } from '../../../../protocols/audio/src/test/fake-house.ts'
import { createScriptedVoice, type ScriptedVoice } from '../../../../protocols/audio/src/test/scripted-voice.ts'
import { talk } from '../commands/talk.ts'
import { createCaptions } from './captions.ts'

describe('domos talk', () => {
  let folder: string
  let server: Server
  let voice: ScriptedVoice
  let url: string
  const lines: string[] = []
  const errors: string[] = []
  const io = (env: Record<string, string> = {}) => ({
    out: (line: string) => void lines.push(line),
    err: (line: string) => void errors.push(line),
    env,
    directory: '.',
  })
  const options = () => ({
    url,
    input: undefined as string | undefined,
    output: join(folder, 'out.wav'),
    deviceId: 'domos-talk',
    joinToken: undefined,
    answerTimeoutMs: 20_000,
  })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'domos-talk-'))
    lines.length = 0
    errors.length = 0
    const house = createFakeHouse(systemClock)
    voice = createScriptedVoice()
    server = createServer({ host: house, doors: [createAudioDoor(house, voice)] })
    const { port } = await server.listen({ port: 0 })
    url = `ws://127.0.0.1:${port}/audio`
  })
  afterEach(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('speaks a WAV file of any usual rate, shows both sides, and writes the answer to another', async () => {
    const input = join(folder, 'in.wav')
    const samples = Int16Array.from({ length: 9_600 }, (_, index) => Math.round(9_000 * Math.sin(index / 20)))
    const bytes = new Uint8Array(samples.buffer)
    writeFileSync(input, Buffer.concat([wavHeader(bytes.length, 48_000, 1), bytes]))
    const done = talk({ ...options(), input }, io(), new AbortController().signal)
    await expect.poll(() => voice.conversations.length).toBe(1)
    await expect.poll(() => voice.last.heard.length, { timeout: 5_000 }).toBeGreaterThan(3_500)
    voice.last.answer('Turn on the lights', 'Done.', 300)
    expect(await done).toBe(0)
    expect(lines).toEqual(['You: Turn on the lights', 'Agent: Done.'])
    const answer = readFileSync(join(folder, 'out.wav'))
    expect(readWavHeader(answer)).toMatchObject({ sampleRateHz: 16_000, channels: 1, bitDepth: 16 })
    expect(answer.length - 44).toBe(300 * 32)
    expect(Math.max(...voice.last.heard.slice(200, 3_000))).toBeGreaterThan(8_500)
  })

  it('records with the program of the system, and plays with another', async () => {
    const program = (name: string, script: string) => {
      const file = join(folder, name)
      writeFileSync(file, `#!/bin/sh\n${script}\n`)
      chmodSync(file, 0o755)
    }
    program('arecord', 'printf "\\001\\000\\002\\000"; exec sleep 30')
    program('aplay', `exec cat > '${join(folder, 'played')}'`)
    const stop = new AbortController()
    const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
    const done = talk({ ...options(), output: undefined }, io(env), stop.signal)
    await expect.poll(() => voice.conversations.at(-1)?.heard).toEqual([1, 2])
    voice.last.answer('hi', 'Hello.', 100)
    await expect.poll(() => lines).toContain('Agent: Hello.')
    await expect.poll(() => readFileSync(join(folder, 'played')).length, { timeout: 5_000 }).toBe(3_200)
    stop.abort()
    expect(await done).toBe(0)
  })

  it('names what to install when there is no recorder, and what is wrong with a file or an address', async () => {
    const stop = new AbortController().signal
    await expect(talk({ ...options(), output: undefined }, io({ PATH: folder }), stop)).rejects.toThrow(/alsa-utils/)
    await expect(talk({ ...options(), input: join(folder, 'none.wav') }, io(), stop)).rejects.toThrow(/--in/)
    const noWav = join(folder, 'no.wav')
    writeFileSync(noWav, 'hello')
    await expect(talk({ ...options(), input: noWav }, io(), stop)).rejects.toThrow(/16-bit/)
    const input = join(folder, 'in.wav')
    writeFileSync(input, Buffer.concat([wavHeader(4, 16_000, 1), Buffer.alloc(4)]))
    await expect(talk({ ...options(), input, url: 'ws://127.0.0.1:1/audio' }, io(), stop)).rejects.toThrow(
      /domos serve/,
    )
  })

  it('captions grow in a terminal and are whole lines elsewhere', () => {
    const written: string[] = []
    const terminal = createCaptions({ out: (line) => written.push(`${line}\n`), rewrite: (text) => written.push(text) })
    terminal.show({ role: 'user', text: 'turn', isFinal: false })
    terminal.show({ role: 'user', text: 'turn on', isFinal: true })
    expect(written).toEqual(['You: turn', '\r\u001b[2K', 'You: turn on\n'])
    const plain: string[] = []
    const pipe = createCaptions({ out: (line) => plain.push(line) })
    pipe.show({ role: 'user', text: 'turn', isFinal: false })
    pipe.show({ role: 'assistant', text: 'Done.', isFinal: true })
    expect(plain).toEqual(['Agent: Done.'])
  })
})
