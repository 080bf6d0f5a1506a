/** How the microphone is used: while a button is held, or all the time. */
export type VoiceMode = 'push' | 'hands-free'

/** Something in the way of talking, and what to do about it. */
export interface VoiceProblem {
  readonly title: string
  readonly advice: string
}

/** What the person sees of a conversation by voice. */
export interface VoiceView {
  /** `waiting`: the connection was lost and is tried again. */
  readonly status: 'off' | 'starting' | 'on' | 'waiting'
  readonly mode: VoiceMode
  /** Whether what is said now goes to the server. */
  readonly isRecording: boolean
  readonly doing: 'idle' | 'listening' | 'thinking' | 'speaking' | 'paused'
  /** What was understood so far of the sentence under way. */
  readonly partial: string
  /** What is being said by the assistant. */
  readonly caption: string
  readonly problem: VoiceProblem | undefined
}

/** What can happen to it. */
export type VoiceEvent =
  | { readonly type: 'start' }
  | { readonly type: 'joined' }
  | { readonly type: 'lost' }
  | { readonly type: 'stop'; readonly problem?: VoiceProblem }
  | { readonly type: 'mode'; readonly mode: VoiceMode }
  | { readonly type: 'record'; readonly isRecording: boolean }
  | { readonly type: 'doing'; readonly doing: VoiceView['doing'] }
  | { readonly type: 'heard'; readonly text: string; readonly isFinal: boolean }
  | { readonly type: 'spoke'; readonly text: string }
  | { readonly type: 'problem'; readonly problem: VoiceProblem | undefined }

export const SILENT: VoiceView = {
  status: 'off',
  mode: 'push',
  isRecording: false,
  doing: 'idle',
  partial: '',
  caption: '',
  problem: undefined,
}

/** The view after an event. */
export function nextVoice(view: VoiceView, event: VoiceEvent): VoiceView {
  switch (event.type) {
    case 'start':
      return { ...SILENT, mode: view.mode, status: 'starting' }
    case 'joined':
      return { ...view, status: 'on', doing: 'idle', problem: undefined }
    case 'lost':
      return view.status === 'off' ? view : { ...view, status: 'waiting', doing: 'idle', partial: '', caption: '' }
    case 'stop':
      return { ...SILENT, problem: event.problem ?? view.problem }
    case 'mode':
      return { ...view, mode: event.mode }
    case 'record':
      return {
        ...view,
        isRecording: event.isRecording,
        ...(event.isRecording ? { partial: '', problem: undefined } : {}),
      }
    case 'doing': {
      const speaks = event.doing === 'speaking' || event.doing === 'paused'
      return { ...view, doing: event.doing, caption: speaks ? view.caption : '' }
    }
    case 'heard':
      return { ...view, partial: event.isFinal ? '' : event.text }
    case 'spoke':
      return { ...view, caption: event.text }
    case 'problem':
      return { ...view, problem: event.problem }
  }
}

/** One or two words for what goes on. */
export function describeVoice(view: VoiceView): string {
  if (view.status === 'starting') return 'Starting the microphone'
  if (view.status === 'waiting') return 'Reconnecting'
  if (view.doing === 'speaking') return 'Speaking'
  if (view.isRecording && view.mode === 'push') return 'Listening'
  if (view.doing === 'thinking') return 'Thinking'
  if (view.doing === 'paused') return 'Go on'
  return view.mode === 'hands-free' ? 'Listening' : 'Ready'
}
