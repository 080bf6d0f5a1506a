export type { Approver, ApprovalDecision, ApprovalRequest } from './approval.ts'
export { type Clock, systemClock } from './clock.ts'
export type { Connection, Door, Host, Upgrade } from './door.ts'
export {
  describeThrown,
  DomosError,
  type DomosErrorOptions,
  type ErrorCode,
  type ErrorDetails,
  toDomosError,
} from './error.ts'
export type { JsonObject, JsonSchema, JsonValue } from './json.ts'
export { type Log, type LogFields, type Metrics, silentLog, silentMetrics } from './log.ts'
export type {
  AssistantPart,
  FinishReason,
  LanguageModel,
  ModelMessage,
  ModelPart,
  ModelRequest,
  PageContext,
  ToolResultPart,
  UserPart,
} from './model.ts'
export { type Credentials, type DoorName, type Principal, type Scope, SCOPES } from './principal.ts'
export { maxRisk, needsApproval, parseRisk, type Risk, RISKS } from './risk.ts'
export type { OpenSessionOptions, Session, SessionMember } from './session.ts'
export {
  type PartialRecognition,
  type Recognition,
  type RecognitionOptions,
  type RecognitionStream,
  type RecognizedWord,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechChunk,
  type SpeechEngine,
  type SpeechEngineHealth,
  type SpeechHints,
  type SpeechToolHint,
  type SpeechToText,
  type SpeechToTextAbilities,
  type SpeechVoice,
  type SynthesisRequest,
  type TextToSpeech,
  type VoiceActivityDetector,
  type VoiceActivityStream,
} from './speech.ts'
export type { AuditEntry, SessionRecord, Store, ToolCallRecord } from './store.ts'
export type {
  Tool,
  ToolCall,
  ToolDeclaration,
  ToolExecution,
  ToolFailureCode,
  ToolOutcome,
  ToolRegistry,
  ToolSurface,
} from './tool.ts'
export type { Turn, TurnEndReason, TurnEvent, UserInput } from './turn.ts'
