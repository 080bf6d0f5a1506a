/** What {@link Codec.decode} found: the message, or a coded reason with the place. */
export type Decoded<Message> =
  | { readonly ok: true; readonly message: Message }
  | {
      readonly ok: false
      /** Stable code of the protocol's own table. */
      readonly code: string
      /** A sentence for the developer at the far end. */
      readonly message: string
      /** Dot path of the offending value; empty for the frame as a whole. */
      readonly path: string
      /** Id of the refused frame, where it could be read. */
      readonly ref?: string
    }

/** Turns frames into messages and back. Neither direction throws, whatever comes. */
export interface Codec<Incoming, Outgoing> {
  decode(frame: string | Uint8Array): Decoded<Incoming>
  encode(message: Outgoing): string | Uint8Array
}
