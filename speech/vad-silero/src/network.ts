import type { SileroModel } from './model.ts'

const FRAME = 512
const CONTEXT = 64
const WINDOW = 256
const HOP = 128
const BINS = 129
const STEPS = 4
const UNITS = 128
const NO_FLOOR = Number.NEGATIVE_INFINITY

/** What the network remembers of one stream: the tail of the last frame and the cell of its recurrent layer. */
export interface SileroState {
  readonly context: Float32Array
  readonly hidden: Float32Array
  readonly cell: Float32Array
}

/** The state of a stream that has heard nothing. */
export function createState(): SileroState {
  return { context: new Float32Array(CONTEXT), hidden: new Float32Array(UNITS), cell: new Float32Array(UNITS) }
}

/** Forgets everything. */
export function clearState(state: SileroState): void {
  state.context.fill(0)
  state.hidden.fill(0)
  state.cell.fill(0)
}

/** One step of the network: 512 samples in ±1, the state is advanced, the probability of speech comes back. */
export function forward(model: SileroModel, state: SileroState, frame: Float32Array): number {
  loadInput(model, state, frame)
  for (let step = 0; step < STEPS; step++) spectrum(model, step)
  for (let step = 0; step < STEPS; step++) convolve(model, 0, step, step)
  convolve(model, 1, 0, 0)
  convolve(model, 1, 2, 1)
  convolve(model, 2, 0, 0)
  convolve(model, 3, 0, 0)
  return recur(model, state)
}

/** Context, frame, and 64 samples mirrored at the end (the last sample itself is not repeated). */
function loadInput(model: SileroModel, state: SileroState, frame: Float32Array): void {
  const input = model.input.values
  input.set(state.context, 0)
  input.set(frame, CONTEXT)
  const last = CONTEXT + FRAME - 1
  for (let i = 1; i <= CONTEXT; i++) input[last + i] = input[last - i] as number
  state.context.set(frame.subarray(FRAME - CONTEXT))
}

/** Magnitudes of one Fourier window into row `step` of the first layer's input. */
function spectrum(model: SileroModel, step: number): void {
  const { basis, spectrum } = model
  model.affine(
    basis.address,
    WINDOW * 4,
    model.input.address + step * HOP * 4,
    model.zeros.address,
    spectrum.address,
    basis.rows,
    WINDOW,
    NO_FLOOR,
  )
  const parts = spectrum.values
  const target = model.layers[0].input
  const offset = step * model.layers[0].channels
  for (let bin = 0; bin < BINS; bin++) {
    const real = parts[bin] as number
    const imaginary = parts[BINS + bin] as number
    target.values[offset + bin] = Math.sqrt(real * real + imaginary * imaginary)
  }
}

/** A convolution of width 3 around input row `centre`, with the taps that would fall outside left out. */
function convolve(model: SileroModel, index: 0 | 1 | 2 | 3, centre: number, outputRow: number): void {
  const layer = model.layers[index]
  const firstTap = centre === 0 ? 1 : 0
  const lastTap = centre === layer.steps - 1 ? 1 : 2
  const rowBytes = layer.channels * 4
  model.affine(
    layer.weights.address + firstTap * rowBytes,
    rowBytes * 3,
    layer.input.address + (centre - 1 + firstTap) * rowBytes,
    layer.bias.address,
    layer.output.address + outputRow * layer.outputs * 4,
    layer.outputs,
    layer.channels * (lastTap - firstTap + 1),
    0,
  )
}

/** The recurrent layer (gates in the order input, forget, candidate, output) and the last dot product. */
function recur(model: SileroModel, state: SileroState): number {
  const { recurrent } = model
  recurrent.hidden.values.set(state.hidden)
  const rowBytes = UNITS * 4
  const features = model.layers[3].output.address
  const { inputWeights, hiddenWeights, bias, partial, gates, hidden } = recurrent
  model.affine(inputWeights.address, rowBytes, features, bias.address, partial.address, UNITS * 4, UNITS, NO_FLOOR)
  model.affine(
    hiddenWeights.address,
    rowBytes,
    hidden.address,
    partial.address,
    gates.address,
    UNITS * 4,
    UNITS,
    NO_FLOOR,
  )
  const values = gates.values
  let sum = recurrent.outputBias
  for (let unit = 0; unit < UNITS; unit++) {
    const input = sigmoid(values[unit] as number)
    const forget = sigmoid(values[UNITS + unit] as number)
    const candidate = Math.tanh(values[2 * UNITS + unit] as number)
    const output = sigmoid(values[3 * UNITS + unit] as number)
    const cell = forget * (state.cell[unit] as number) + input * candidate
    const value = output * Math.tanh(cell)
    state.cell[unit] = cell
    state.hidden[unit] = value
    if (value > 0) sum += value * (recurrent.outputWeights[unit] as number)
  }
  return sigmoid(sum)
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}
