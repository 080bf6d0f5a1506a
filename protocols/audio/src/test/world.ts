import type { Door } from '@domos/spec'
import { type AudioDoorOptions, createAudioDoor } from '../door/index.ts'
import { createFakeHouse, type FakeHouse } from './fake-house.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { createScriptedVoice, type ScriptedVoice } from './scripted-voice.ts'

/** A door with everything behind it under the test's control. */
export interface World {
  readonly clock: ManualClock
  readonly house: FakeHouse
  readonly voice: ScriptedVoice
  readonly door: Door
}

export function createWorld(options: AudioDoorOptions & { readonly key?: string } = {}): World {
  const clock = createManualClock()
  const { key, ...doorOptions } = options
  const house = createFakeHouse(clock, key === undefined ? {} : { key })
  const voice = createScriptedVoice()
  const start = clock.now()
  const door = createAudioDoor(house, voice, { monotonicNow: () => clock.now() - start, ...doorOptions })
  return { clock, house, voice, door }
}
