import { DomosError, type SpeechChunk, type SynthesisRequest, silentLog, type TextToSpeech } from '@domos/spec'
import { type ChainLink, chainHealth, codeOf, createLinks, type FallbackOptions, isEngineFault } from './chain-link.ts'

/**
 * Speech by the first engine that works. Another one takes over only before the first sound of a request: nobody should hear
 * a sentence twice. A voice that belongs to another engine is replaced by the default voice there.
 */
export function createSynthesisChain(engines: readonly TextToSpeech[], options: FallbackOptions = {}): TextToSpeech {
  const links = createLinks(engines, options)
  const log = options.log ?? silentLog
  return {
    id: engines.map(({ id }) => id).join('+'),
    health: (signal) => chainHealth(links, signal),
    async voices(signal) {
      const lists = await Promise.allSettled(engines.map((engine) => engine.voices(signal)))
      return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []))
    },
    async *synthesize(request, signal) {
      let last: unknown
      for (const link of links) {
        if (!link.breaker.allows()) continue
        let hasSpoken = false
        let isSettled = false
        try {
          const adapted = await withKnownVoice(link, request, signal, link === links[0])
          for await (const chunk of link.engine.synthesize(adapted, signal)) {
            hasSpoken = true
            yield chunk
          }
          isSettled = true
          link.breaker.succeeded()
          return
        } catch (thrown) {
          isSettled = true
          if (!isEngineFault(thrown)) {
            link.breaker.withdrawn()
            throw thrown
          }
          link.breaker.failed()
          log.warn('speech-engine-failed', { engine: link.engine.id, code: codeOf(thrown) })
          if (hasSpoken) throw thrown
          last = thrown
        } finally {
          // The listener left in the middle.
          if (!isSettled) link.breaker.withdrawn()
        }
      }
      throw last ?? new DomosError('unavailable', 'Every speech engine failed lately and is left alone for a while.')
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()))
    },
  } satisfies TextToSpeech & { synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncIterable<SpeechChunk> }
}

async function withKnownVoice(
  link: ChainLink<TextToSpeech>,
  request: SynthesisRequest,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<SynthesisRequest> {
  if (request.voice === undefined || isFirst) return request
  const known = await link.engine.voices(signal)
  if (known.some(({ id }) => id === request.voice)) return request
  const { voice: _, ...rest } = request
  return rest
}
