import { type Agent, type AgentOptions, type AgentSession, createAgent } from '@domos/agent'
import type {
  JsonObject,
  LanguageModel,
  Metrics,
  ModelMessage,
  ModelPart,
  ModelRequest,
  Voice,
  VoiceConversation,
  VoiceSink,
} from '@domos/spec'
import { createVoice, type VoiceOptions } from '../create-voice.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import {
  type ScriptedRecognition,
  type ScriptedSynthesis,
  type ScriptedUtterance,
  scriptedDetector,
  scriptedRecognition,
  scriptedSynthesis,
  silence,
  speech,
} from './scripted-engines.ts'

type Script = readonly ModelPart[] | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>)

/** A model that answers by script; it stands for a paid one that cannot be reached. */
export interface ScriptedModel extends LanguageModel {
  readonly requests: ModelRequest[]
}

export function scriptedModel(...scripts: Script[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    id: 'test/scripted',
    embedded: true,
    requests,
    async *stream(request, signal) {
      requests.push(structuredClone(request))
      const script = scripts[requests.length - 1] ?? text('Yes.')
      if (typeof script === 'function') yield* script(request, signal)
      else yield* script
    },
  }
}

export function text(value: string): readonly ModelPart[] {
  return [
    { type: 'text-delta', text: value },
    { type: 'finish', reason: 'stop' },
  ]
}

export function calls(...wanted: readonly [name: string, args?: JsonObject][]): readonly ModelPart[] {
  return [
    ...wanted.map(
      ([name, args], index): ModelPart => ({ type: 'tool-call', callId: `m${index}`, name, args: args ?? {} }),
    ),
    { type: 'finish', reason: 'tool-calls' },
  ]
}

/** Something the far end was told, with the time. */
export type Told =
  | {
      readonly type: 'transcript'
      readonly atMs: number
      readonly role: string
      readonly text: string
      readonly isFinal: boolean
      readonly turn: number
      readonly words: number
    }
  | { readonly type: 'start'; readonly atMs: number; readonly turn: number }
  | { readonly type: 'audio'; readonly atMs: number; readonly ms: number; readonly samples: Int16Array }
  | {
      readonly type: 'end'
      readonly atMs: number
      readonly turn: number
      readonly audioMs: number
      readonly playedMs: number
      readonly interrupted: boolean
    }
  | { readonly type: 'state'; readonly atMs: number; readonly state: string }
  | { readonly type: 'error'; readonly atMs: number; readonly code: string; readonly message: string }
  | { readonly type: 'latency'; readonly atMs: number; readonly report: Parameters<VoiceSink['onLatency']>[0] }

export interface World {
  readonly clock: ManualClock
  readonly model: ScriptedModel
  readonly agent: Agent
  readonly session: AgentSession
  readonly voice: Voice
  readonly conversation: VoiceConversation
  readonly recognition: ScriptedRecognition
  readonly synthesis: ScriptedSynthesis
  readonly told: Told[]
  readonly counts: Map<string, number>
  /** Why utterances came to nothing. */
  readonly nothing: string[]
  bufferedMs: number
  /** Sends sound in real time, 20 ms at a time. */
  hear(...sounds: Int16Array[]): Promise<void>
  /** Speaks for a while (the script says what was understood), then is silent for a while. */
  speak(utterance: ScriptedUtterance | undefined, ms?: number, silenceMs?: number): Promise<void>
  of<Type extends Told['type']>(type: Type): Extract<Told, { readonly type: Type }>[]
  /** What the model is sent next would hold this conversation. */
  history(): Promise<readonly ModelMessage[]>
}

export interface WorldOptions {
  readonly voice?: Partial<VoiceOptions>
  readonly agent?: Partial<AgentOptions>
  readonly config?: JsonObject
  readonly partials?: boolean
}

/** A real agent and a real voice, with scripted engines and a clock that a test turns. */
export async function openWorld(model: ScriptedModel, options: WorldOptions = {}): Promise<World> {
  const clock = createManualClock()
  const begin = clock.now()
  const agent = createAgent({ model, clock, ...options.agent })
  const session = await agent.openSession(await agent.authenticate({ door: 'voice' }), { door: 'voice' })
  const recognition = scriptedRecognition(clock, [], options.partials)
  const synthesis = scriptedSynthesis()
  const counts = new Map<string, number>()
  const metrics: Metrics = {
    count: (name, labels, by = 1) => {
      const key = [name, ...Object.values(labels ?? {})].join(' ')
      counts.set(key, (counts.get(key) ?? 0) + by)
    },
    gauge: (name, value) => void counts.set(name, value),
    observe: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  }
  const voice = createVoice({ detector: scriptedDetector(), recognition, synthesis, clock, metrics, ...options.voice })
  const told: Told[] = []
  const nothing: string[] = []
  const at = (): number => clock.now() - begin
  const world = {
    bufferedMs: 0,
  }
  const sink: VoiceSink = {
    get bufferedMs() {
      return world.bufferedMs
    },
    onTranscript: ({ words, role, text: said, isFinal, turn }) =>
      told.push({ type: 'transcript', atMs: at(), role, text: said, isFinal, turn, words: words?.length ?? 0 }),
    onSpeechStart: ({ turn }) => told.push({ type: 'start', atMs: at(), turn }),
    onAudio: (samples) => told.push({ type: 'audio', atMs: at(), ms: samples.length / 16, samples: samples.slice() }),
    onSpeechEnd: (end) => told.push({ type: 'end', atMs: at(), ...end }),
    onNothingHeard: ({ reason }) => nothing.push(reason),
    onState: (state) => told.push({ type: 'state', atMs: at(), state }),
    onError: ({ code, message }) => told.push({ type: 'error', atMs: at(), code, message }),
    onLatency: (report) => told.push({ type: 'latency', atMs: at(), report }),
  }
  const conversation = voice.open(session, sink, options.config ?? {})
  await clock.advance(1)

  async function hear(...sounds: Int16Array[]): Promise<void> {
    for (const sound of sounds) {
      for (let from = 0; from < sound.length; from += 320) {
        conversation.pushAudio(sound.subarray(from, from + 320))
        await clock.advance(20)
      }
    }
  }

  return Object.assign(world, {
    clock,
    model,
    agent,
    session,
    voice,
    conversation,
    recognition,
    synthesis,
    told,
    nothing,
    counts,
    hear,
    async speak(utterance: ScriptedUtterance | undefined, ms = 800, silenceMs = 1_000) {
      if (utterance !== undefined) recognition.script.push(utterance)
      await hear(speech(ms), silence(silenceMs))
    },
    of: <Type extends Told['type']>(type: Type) =>
      told.filter((entry): entry is Extract<Told, { readonly type: Type }> => entry.type === type),
    async history() {
      const before = model.requests.length
      session.say({ text: 'history?' })
      await clock.advance(10)
      return model.requests[before]?.messages.slice(0, -1) ?? []
    },
  })
}

/** The words of the last message of the assistant. */
export function lastAnswer(messages: readonly ModelMessage[]): string {
  const last = messages.findLast((message) => message.role === 'assistant')
  return (last?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}
