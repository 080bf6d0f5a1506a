import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  needDebianPackages,
  neverAborts,
  recognitionContract,
  type SpokenSentence,
  SYSTEM_VOICES,
  speakWithSystem,
  synthesisContract,
} from '@domos/testing/speech'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSherpaRecognition, createSherpaSynthesis } from './index.ts'
import { findRecognitionModel, findSynthesisModel } from './model-files.ts'
import { wordsFromTokens } from './token-words.ts'

/** A directory with a model directory `stt…` and one `tts…` in it, as sherpa-onnx publishes them. */
const models = process.env.DOMOS_SHERPA_MODEL_DIR
const modelOf = (kind: 'stt' | 'tts'): string | undefined => {
  const name = models && existsSync(models) ? readdirSync(models).find((each) => each.startsWith(kind)) : undefined
  return models && name ? join(models, name) : undefined
}
const [stt, tts] = [modelOf('stt'), modelOf('tts')]
const NOT_RUN = 'DOMOS_SHERPA_MODEL_DIR names no directory with a model directory stt… and tts…; not run'

describe('sherpa keeps the contract of recognizers', () => {
  if (!stt) return it('with a model', ({ skip }) => skip(NOT_RUN))
  let sentences: readonly SpokenSentence[] = []
  beforeAll(async () => {
    await needDebianPackages('flite')
    const texts = ['Turn on the kitchen lights.', 'What is the weather today?']
    sentences = await Promise.all(
      texts.map(async (text) => ({ text, samples: await speakWithSystem(SYSTEM_VOICES.slt, text) })),
    )
  }, 300_000)
  const create = () => createSherpaRecognition({ modelDirectory: stt })
  for (const { title, run } of recognitionContract({ create, sentences: async () => sentences }))
    it(title, { timeout: 120_000 }, run)
})

describe('sherpa keeps the contract of speech synthesis', () => {
  if (!tts) return it('with a model', ({ skip }) => skip(NOT_RUN))
  const create = () => createSherpaSynthesis({ modelDirectory: tts })
  for (const { title, run } of synthesisContract({ create, repeatable: false })) it(title, { timeout: 120_000 }, run)
})

describe('a model directory', () => {
  const root = mkdtempSync(join(tmpdir(), 'domos-sherpa-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const directory = (name: string, ...files: readonly string[]): string => {
    mkdirSync(join(root, name), { recursive: true })
    for (const file of files) writeFileSync(join(root, name, file), '')
    return join(root, name)
  }

  it.each([
    [
      'moonshine-tiny',
      'moonshine',
      ['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx'],
    ],
    ['zipformer-streaming', 'online-transducer', ['encoder.onnx', 'decoder.onnx', 'joiner.onnx']],
    ['parakeet', 'transducer', ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx']],
    ['whisper-tiny', 'whisper', ['tiny-encoder.onnx', 'tiny-decoder.onnx']],
    ['sense-voice', 'sense-voice', ['model.int8.onnx']],
  ])('of %s is known for recognition by its files', (name, kind, files) => {
    expect(findRecognitionModel(directory(name, 'tokens.txt', ...files), 1).kind).toBe(kind)
  })

  it.each([
    ['kokoro', 'kokoro', ['model.onnx', 'voices.bin']],
    ['kitten-nano', 'kitten', ['model.fp16.onnx', 'voices.bin']],
    ['piper-amy', 'vits', ['en_US-amy-low.onnx']],
  ])('of %s is known for speech by its files', (name, kind, files) => {
    expect(findSynthesisModel(directory(name, 'tokens.txt', ...files), 1).kind).toBe(kind)
  })

  it('takes the int8 file where there are both', () => {
    const found = findRecognitionModel(directory('both-sense-voice', 'tokens.txt', 'model.onnx', 'model.int8.onnx'), 1)
    expect(JSON.stringify(found.modelConfig)).toContain('model.int8.onnx')
  })

  it('that is missing, or holds something else, is refused with a sentence that names it', () => {
    expect(() => createSherpaRecognition({ modelDirectory: join(root, 'none') })).toThrow('cannot be read')
    expect(() => createSherpaSynthesis({ modelDirectory: directory('empty') })).toThrow('holds no kokoro')
  })

  it('with broken files costs an error, not the process', { timeout: 60_000 }, async () => {
    const files = ['tokens.txt', 'preprocess.onnx', 'encode.onnx', 'uncached_decode.onnx', 'cached_decode.onnx']
    const engine = createSherpaRecognition({ modelDirectory: directory('broken', ...files) })
    expect(await engine.health(neverAborts)).toMatchObject({ state: 'unavailable' })
    await expect(engine.openStream({}, neverAborts)).rejects.toMatchObject({ code: 'unavailable' })
    await engine.close()
  })
})

describe('words from timed pieces', () => {
  it('begin where a piece begins with a space and last until the next piece', () => {
    const result = { text: ' turn on', tokens: [' t', 'urn', ' on'], timestamps: [0.2, 0.32, 0.5] }
    expect(wordsFromTokens(result, 700)).toEqual([
      { word: 'turn', startMs: 200, endMs: 500 },
      { word: 'on', startMs: 500, endMs: 620 },
    ])
  })
})
