import { readFileSync } from 'node:fs'

/** A stretch of the kernel's memory: where it is, and a view on it. */
export interface Region {
  readonly address: number
  readonly values: Float32Array
}

/** One convolution of width 3. */
export interface ConvolutionLayer {
  /** Input values of one step, padded to a multiple of four. */
  readonly channels: number
  readonly steps: number
  readonly outputs: number
  readonly weights: Region
  readonly bias: Region
  readonly input: Region
  readonly output: Region
}

type Affine = (
  weights: number,
  strideBytes: number,
  input: number,
  bias: number,
  output: number,
  rows: number,
  columns: number,
  floor: number,
) => void

/** The weights in the memory of the SIMD kernel, with room for one frame's intermediate values. */
export interface SileroModel {
  readonly affine: Affine
  readonly basis: Region & { readonly rows: number }
  readonly zeros: Region
  readonly input: Region
  readonly spectrum: Region
  readonly layers: readonly [ConvolutionLayer, ConvolutionLayer, ConvolutionLayer, ConvolutionLayer]
  readonly recurrent: {
    readonly inputWeights: Region
    readonly hiddenWeights: Region
    readonly bias: Region
    readonly partial: Region
    readonly gates: Region
    readonly hidden: Region
    readonly outputWeights: Float32Array
    readonly outputBias: number
  }
}

const MEMORY_PAGES = 26
const BINS = 129
const BASIS_ROWS = 260
const UNITS = 128

/** Inputs, outputs and input steps of the four convolutions, in order. */
const SHAPES = [
  { inputs: BINS, outputs: 128, steps: 4 },
  { inputs: 128, outputs: 64, steps: 4 },
  { inputs: 64, outputs: 64, steps: 2 },
  { inputs: 64, outputs: 128, steps: 1 },
] as const

let loaded: SileroModel | undefined

/** Reads weights and kernel from the package, once in a process. Throws the file system's error when a file is missing. */
export function loadModel(): SileroModel {
  loaded ??= build(
    readFileSync(new URL('../weights/silero-v6-16k.bin', import.meta.url)),
    readFileSync(new URL('../kernel/affine.wasm', import.meta.url)),
  )
  return loaded
}

function build(file: Uint8Array, kernel: Uint8Array<ArrayBuffer>): SileroModel {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES })
  const instance = new WebAssembly.Instance(new WebAssembly.Module(kernel), { env: { memory } })
  const weights = new Float32Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength))
  let position = 0
  const take = (count: number): Float32Array => weights.subarray(position, (position += count))
  let address = 0
  const region = (count: number, source?: Float32Array): Region => {
    const values = new Float32Array(memory.buffer, address, count)
    if (source) values.set(source)
    const made = { address, values }
    address += Math.ceil(count / 4) * 16
    return made
  }

  const basis = { ...region(BASIS_ROWS * 256, fourierBasis()), rows: BASIS_ROWS }
  const zeros = region(BASIS_ROWS)
  const input = region(640)
  const spectrum = region(BASIS_ROWS)
  const layers: ConvolutionLayer[] = []
  let feed = region(4 * padded(BINS))
  for (const shape of SHAPES) {
    const channels = padded(shape.inputs)
    const stored = take(shape.outputs * 3 * shape.inputs)
    const layer = {
      channels,
      steps: shape.steps,
      outputs: shape.outputs,
      weights: region(shape.outputs * 3 * channels, widen(stored, shape.inputs, channels)),
      bias: region(shape.outputs, take(shape.outputs)),
      input: feed,
      output: region(shape.outputs * shape.steps),
    }
    layers.push(layer)
    feed = layer.output
  }
  const recurrent = {
    inputWeights: region(4 * UNITS * UNITS, take(4 * UNITS * UNITS)),
    hiddenWeights: region(4 * UNITS * UNITS, take(4 * UNITS * UNITS)),
    bias: region(4 * UNITS, take(4 * UNITS)),
    partial: region(4 * UNITS),
    gates: region(4 * UNITS),
    hidden: region(UNITS),
    outputWeights: take(UNITS),
    outputBias: take(1)[0] as number,
  }
  // The kernel's only export has exactly this signature; WebAssembly's own types do not say so.
  const affine = instance.exports.affine as Affine
  const [first, second, third, fourth] = layers as [
    ConvolutionLayer,
    ConvolutionLayer,
    ConvolutionLayer,
    ConvolutionLayer,
  ]
  return { affine, basis, zeros, input, spectrum, layers: [first, second, third, fourth], recurrent }
}

function padded(count: number): number {
  return Math.ceil(count / 4) * 4
}

/** Rows of `from` values spread to rows of `to` values, the rest zero. */
function widen(source: Float32Array, from: number, to: number): Float32Array {
  const wide = new Float32Array((source.length / from) * to)
  for (let row = 0; row * from < source.length; row++) {
    wide.set(source.subarray(row * from, (row + 1) * from), row * to)
  }
  return wide
}

/** Hann-windowed cosines, then negative sines: the network's fixed first layer. */
function fourierBasis(): Float32Array {
  const basis = new Float32Array(BASIS_ROWS * 256)
  for (let bin = 0; bin < BINS; bin++) {
    for (let n = 0; n < 256; n++) {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / 256)
      const angle = (2 * Math.PI * ((bin * n) % 256)) / 256
      basis[bin * 256 + n] = window * Math.cos(angle)
      basis[(BINS + bin) * 256 + n] = -window * Math.sin(angle)
    }
  }
  return basis
}
