import { MicrophoneError } from '@domos/audio/client'
import { describe, expect, it } from 'vitest'
import { reachableUrl } from './phone-dialog.tsx'
import { SHOP_VOCABULARY } from './vocabulary.ts'
import { problemOf, readHearing } from './voice-problem.ts'
import { describeVoice, nextVoice, SILENT, type VoiceEvent, type VoiceView } from './voice-state.ts'

const after = (...events: readonly VoiceEvent[]): VoiceView => events.reduce(nextVoice, SILENT)
const on = [{ type: 'start' }, { type: 'joined' }] as const

describe('what a person sees of a conversation by voice', () => {
  it('is what was understood so far, until the sentence is complete', () => {
    const heard = (text: string, isFinal: boolean): VoiceEvent => ({ type: 'heard', text, isFinal })
    expect(after(...on, heard('add two', false))).toMatchObject({ partial: 'add two' })
    expect(after(...on, heard('add two', false), heard('add two mugs', true))).toMatchObject({ partial: '' })
  })

  it('is the sentence being said, as long as it is', () => {
    const speaking = [...on, { type: 'spoke', text: 'Done.' }, { type: 'doing', doing: 'speaking' }] as const
    expect(after(...speaking)).toMatchObject({ caption: 'Done.' })
    expect(after(...speaking, { type: 'doing', doing: 'idle' })).toMatchObject({ caption: '' })
  })

  it('is silence when it ends, with the reason, and the problem goes with the next start', () => {
    const problem = { title: 'No.', advice: 'Try.' }
    const ended = after(...on, { type: 'record', isRecording: true }, { type: 'stop', problem })
    expect(ended).toEqual({ ...SILENT, problem })
    expect(nextVoice(ended, { type: 'start' })).toEqual({ ...SILENT, status: 'starting' })
  })

  it('does not come to life by a loss that is told late', () => {
    expect(after(...on, { type: 'stop' }, { type: 'lost' })).toEqual(SILENT)
  })

  it.each([
    [[{ type: 'start' }], 'Starting the microphone'],
    [on, 'Ready'],
    [[...on, { type: 'record', isRecording: true }], 'Listening'],
    [[...on, { type: 'mode', mode: 'hands-free' }], 'Listening'],
    [[...on, { type: 'doing', doing: 'thinking' }], 'Thinking'],
    [[...on, { type: 'record', isRecording: true }, { type: 'doing', doing: 'speaking' }], 'Speaking'],
    [[...on, { type: 'lost' }], 'Reconnecting'],
  ] as const)('%j is called %s', (events, word) => {
    expect(describeVoice(after(...events))).toBe(word)
  })
})

describe('what is in the way', () => {
  it.each([
    ['denied', true, /blocked.*Allow/],
    ['denied', false, /https.*--tls-cert/],
    ['missing', true, /No microphone.*phone/],
    ['failed', true, /does not work.*using it/],
  ] as const)('a microphone that is %s (secure: %s) comes with what to do', (kind, isSecure, words) => {
    const { title, advice } = problemOf(new MicrophoneError(kind, ''), isSecure)
    expect(`${title} ${advice}`).toMatch(words)
  })

  it('keeps the sentence of any other error', () => {
    expect(problemOf(new Error('Too many wrong codes.')).title).toBe('Too many wrong codes.')
  })

  it('a server says by its health whether it hears, and what is missing', () => {
    const part = { state: 'unavailable', detail: 'Install pocketsphinx-en-us.' }
    const voice = { canHear: false, voice: { recognition: part, detector: { state: 'ready', detail: 'Works.' } } }
    expect(readHearing({ doors: { voice } })?.advice).toBe('Install pocketsphinx-en-us. Typing works.')
    expect(readHearing({ doors: { voice: { canHear: true } } })).toBeUndefined()
    expect(readHearing({ doors: { adtp: {} } })?.title).toContain('no voice door')
    expect(readHearing('<html>')).toBeUndefined()
  })
})

describe('the address for a phone', () => {
  const ticket = { token: 't', expiresAt: 1 }

  it('is the one the server gives, else where this page came from, but never this computer itself', () => {
    const at = (hostname: string) => ({ hostname, origin: `https://${hostname}` })
    expect(reachableUrl({ ...ticket, url: 'https://a.test/p#t' }, at('localhost'))).toBe('https://a.test/p#t')
    expect(reachableUrl(ticket, at('192.168.1.7'))).toBe('https://192.168.1.7/demo/phone#t')
    for (const here of ['localhost', '127.0.0.1', '[::1]', 'shop.localhost']) {
      expect(reachableUrl(ticket, at(here)), here).toBeUndefined()
    }
  })
})

describe('the words of the shop', () => {
  it('are few, and short enough for the configuration', () => {
    expect(SHOP_VOCABULARY).toContain('headphones')
    expect(SHOP_VOCABULARY.length).toBeLessThan(100)
    expect(Math.max(...SHOP_VOCABULARY.map((word) => word.length))).toBeLessThanOrEqual(80)
  })
})
