/** Cuts a byte stream into messages that end with a zero byte. */
export class MessageSplitter {
  readonly #maxMessageBytes: number
  readonly #onMessage: (text: string) => void
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxMessageBytes: number, onMessage: (text: string) => void) {
    this.#maxMessageBytes = maxMessageBytes
    this.#onMessage = onMessage
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const last = chunk.subarray(start, end)
      start = end + 1
      const isTooLarge = this.#bytes + last.length > this.#maxMessageBytes
      const whole = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last])
      this.#parts = []
      this.#bytes = 0
      if (!isTooLarge) this.#onMessage(whole.toString('utf8'))
    }
    if (start === chunk.length) return
    const rest = chunk.subarray(start)
    this.#bytes += rest.length
    // The end of a message over the bound is still looked for, but its bytes are not kept.
    if (this.#bytes <= this.#maxMessageBytes) this.#parts.push(rest)
    else this.#parts = []
  }
}
