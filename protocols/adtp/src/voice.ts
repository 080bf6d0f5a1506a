/** Why a live audio turn ended (VOICE_INPUT_END). */
export const VOICE_END_REASONS = ['user_stop', 'vad', 'timeout'] as const

/** What happened to the server's voice (VOICE_STATE_EVENT). */
export const VOICE_STATE_EVENTS = ['turn_complete', 'interrupted', 'waiting_for_input'] as const
