/** Names under which the processors are registered. */
export const CAPTURE_PROCESSOR = 'domos-capture'
/** See {@link CAPTURE_PROCESSOR}. */
export const PLAYBACK_PROCESSOR = 'domos-playback'

interface ProcessorScope {
  readonly AudioWorkletProcessor: new () => { readonly port: MessagePort }
  registerProcessor(name: string, processor: unknown): void
}

/**
 * Registers both processors in an AudioWorkletGlobalScope. Uses nothing from outside its body: its text is also loaded as a
 * module of its own where no file can be served.
 */
export function registerProcessors(scope: ProcessorScope): void {
  class Capture extends scope.AudioWorkletProcessor {
    buffer = new Float32Array(1024)
    filled = 0
    isOver = false

    constructor() {
      super()
      this.port.onmessage = () => {
        this.isOver = true
      }
    }

    process(inputs: readonly (readonly Float32Array[])[]): boolean {
      const channel = inputs[0]?.[0]
      if (channel !== undefined) {
        for (let index = 0; index < channel.length; index++) {
          this.buffer[this.filled++] = channel[index] as number
          if (this.filled === this.buffer.length) {
            this.port.postMessage(this.buffer.slice())
            this.filled = 0
          }
        }
      }
      return !this.isOver
    }
  }

  class Playback extends scope.AudioWorkletProcessor {
    queue: Float32Array[] = []
    offset = 0
    queued = 0
    played = 0
    reported = 0
    isStarted = false
    prebuffer = 0
    isOver = false

    constructor() {
      super()
      this.port.onmessage = ({ data }: MessageEvent) => {
        if (data.type === 'samples') {
          this.queue.push(data.samples)
          this.queued += data.samples.length
        } else if (data.type === 'begin') this.prebuffer = data.prebuffer
        else if (data.type === 'end') this.prebuffer = 0
        else if (data.type === 'flush') {
          this.queue = []
          this.offset = 0
          this.queued = 0
          this.isStarted = false
          this.report()
        } else if (data.type === 'close') this.isOver = true
      }
    }

    report(): void {
      this.reported = this.played
      this.port.postMessage({ played: this.played, queued: this.queued })
    }

    process(_inputs: unknown, outputs: readonly (readonly Float32Array[])[]): boolean {
      const channel = outputs[0]?.[0]
      if (channel === undefined) return !this.isOver
      if (!this.isStarted && this.queued > this.prebuffer) this.isStarted = true
      let index = 0
      while (this.isStarted && index < channel.length) {
        const head = this.queue[0]
        if (head === undefined) {
          // Ran dry: gather a little again before going on, so that jitter makes one gap and not many.
          this.isStarted = false
          this.report()
          break
        }
        channel[index++] = head[this.offset++] as number
        this.played++
        this.queued--
        if (this.offset === head.length) {
          this.queue.shift()
          this.offset = 0
        }
      }
      if (this.played - this.reported > 2048) this.report()
      return !this.isOver
    }
  }

  scope.registerProcessor('domos-capture', Capture)
  scope.registerProcessor('domos-playback', Playback)
}
