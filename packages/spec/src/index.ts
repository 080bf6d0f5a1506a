export type { ApprovalDecision, ApprovalRequest, Approver } from './approval.ts'
export type {
  ActEffects,
  ActResult,
  Browsing,
  BrowsingCall,
  BrowsingCookie,
  BrowsingEvent,
  BrowsingFeatures,
  BrowsingPage,
  BrowsingSession,
  BrowsingSessionInfo,
  CreateBrowsingSession,
  DownloadInfo,
  ExtractOptions,
  ExtractQuery,
  ExtractResult,
  Intent,
  NavigateResult,
  ObserveOptions,
  PageMutations,
  PageSlice,
  PageSnapshot,
  Target,
  TargetQuery,
  WaitSpec,
  WaitUntil,
} from './browsing.ts'
export { type Clock, systemClock } from './clock.ts'
export type { Connection, Door, Host, Upgrade } from './door.ts'
export type {
  BrowserEngine,
  ElementMatch,
  ElementRecord,
  ElementState,
  EngineAbilities,
  EngineContext,
  EngineContextOptions,
  EngineLimits,
  EngineNavigation,
  EnginePage,
  EnginePageEvent,
  EnginePageState,
  EngineRequest,
  NetworkPolicy,
  PerformResult,
  Primitive,
  ResolvedTarget,
  ScriptEvidence,
} from './engine.ts'
export {
  DomosError,
  type DomosErrorOptions,
  describeThrown,
  type ErrorCode,
  type ErrorDetails,
  toDomosError,
} from './error.ts'
export type { JsonObject, JsonSchema, JsonValue } from './json.ts'
export { mergeLimits } from './limits.ts'
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
export { type Credentials, type DoorName, type Principal, SCOPES, type Scope } from './principal.ts'
export { maxRisk, needsApproval, parseRisk, RISKS, type Risk } from './risk.ts'
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
  ToolProgress,
  ToolRegistry,
  ToolSurface,
} from './tool.ts'
export type { Turn, TurnEndReason, TurnEvent, UserInput } from './turn.ts'
export type { Voice, VoiceConfig, VoiceConversation, VoiceSink, VoiceState } from './voice.ts'
