/** What the documents print in HANDSHAKE_INIT and HANDSHAKE_ACK. */
export const BASE_CAPABILITIES = ['text', 'audio', 'tools'] as const

/**
 * Names of extensions; each is used only between peers that both announced it.
 *
 * - `resume` a dropped connection may come back to its session; frames of the server are numbered
 * - `stream` the client may end a turn with TURN_CANCEL, and AGENT_RESPONSE names the input it answers (`ref`); chunks
 *   themselves need no announcement
 * - `tool_cancel` TOOL_CANCEL withdraws a call or an approval · `tool_progress` TOOL_PROGRESS keeps a long call alive
 * - `approval` the ticketed approval flow · `jsonschema` full JSON Schema in tool declarations
 * - `audio_stream` AUDIO_STREAM, voice messages and transcripts
 * - `join` SYSTEM_EVENT `join_token` asks for a token with which a phone, a speaker or another page enters this session, and one
 *   brings it (`data {token, code?, url?, expiresAt, ref}`); SYSTEM_EVENT `transcript` tells what was said there
 */
export const EXTENSIONS = [
  'resume',
  'stream',
  'tool_cancel',
  'tool_progress',
  'approval',
  'jsonschema',
  'audio_stream',
  'join',
] as const

/** One of {@link EXTENSIONS}. */
export type Extension = (typeof EXTENSIONS)[number]

/**
 * What unlocks a message: an extension, or `spoken` for messages that belong to the spoken dialect itself. A list means any
 * one of them. A peer of the document's dialect that announced any extension at all also gets additive facts: the kinds
 * `tools_effective` and `notice` of SYSTEM_EVENT, and `maxActiveTools` in HANDSHAKE_ACK; one that announced none gets
 * exactly what the document prints.
 */
export type Requirement = Extension | 'spoken'

/** The extensions both sides announced. */
export function negotiate(
  announced: readonly string[] | undefined,
  offered: readonly Extension[],
): ReadonlySet<Extension> {
  return new Set(offered.filter((extension) => announced?.includes(extension)))
}
