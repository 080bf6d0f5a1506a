/** What came out of {@link SampleBytes.take}. */
export interface TakenBytes {
  /** Whole samples; may be empty. */
  readonly bytes: Uint8Array
  /** The stream was shifted by a stray byte, which has been dropped. */
  readonly wasRealigned: boolean
}

/** Cuts a stream of bytes at sample borders: what a frame holds too little or too much is carried to the next. */
export interface SampleBytes {
  take(frame: Uint8Array): TakenBytes
  /** Bytes that wait for the rest of their sample. */
  readonly carried: number
  /** Forgets them. */
  reset(): void
}

/** How much rougher the shifted reading must be before the other one is believed. */
const ROUGHNESS_RATIO = 8

/**
 * Makes the cutter for samples of `sampleBytes` bytes (all channels together).
 *
 * A frame of odd length means that the sample goes on in the next frame, unless the byte was a stray one: then everything
 * after it would be read shifted, which turns speech into noise. The two readings differ by orders of magnitude in
 * smoothness, so a shift is recognised where a carried byte makes it possible.
 */
export function createSampleBytes(sampleBytes: number): SampleBytes {
  let carry = new Uint8Array(0)
  return {
    take(frame) {
      let bytes = frame
      let wasRealigned = false
      if (carry.length > 0) {
        const joined = new Uint8Array(carry.length + frame.length)
        joined.set(carry)
        joined.set(frame, carry.length)
        bytes = joined
        if (carry.length % 2 === 1 && isShifted(joined)) {
          bytes = frame
          wasRealigned = true
        }
      }
      const whole = bytes.length - (bytes.length % sampleBytes)
      carry = bytes.slice(whole)
      return { bytes: bytes.subarray(0, whole), wasRealigned }
    },
    get carried() {
      return carry.length
    },
    reset() {
      carry = new Uint8Array(0)
    },
  }
}

/** Samples looked at; more would not change the verdict. */
const SAMPLES_COMPARED = 512

/** A step between neighbours, as a share of the level, above which a reading looks like noise. */
const NOISE_STEP = 0.6

/**
 * Whether the first byte does not belong to the samples: read with it they are noise, and read without it they are far smoother.
 * Samples that were made from 8-bit ones are far smaller when read shifted, but no noise when read rightly.
 */
function isShifted(bytes: Uint8Array): boolean {
  const withIt = measure(bytes, 0)
  const withoutIt = measure(bytes, 1)
  return withIt.step > NOISE_STEP * withIt.level && withIt.step > ROUGHNESS_RATIO * (withoutIt.step + 1)
}

/** Mean step between neighbouring 16-bit samples read from `offset`, and mean level; 0 when there are too few to tell. */
function measure(bytes: Uint8Array, offset: number): { readonly step: number; readonly level: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = Math.min(SAMPLES_COMPARED, Math.floor((bytes.length - offset) / 2))
  if (count < 32) return { step: 0, level: 0 }
  let steps = 0
  let levels = 0
  let last = view.getInt16(offset, true)
  for (let index = 1; index < count; index++) {
    const sample = view.getInt16(offset + index * 2, true)
    steps += Math.abs(sample - last)
    levels += Math.abs(sample)
    last = sample
  }
  return { step: steps / (count - 1), level: levels / (count - 1) }
}
