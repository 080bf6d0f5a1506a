import type { JsonObject, JsonSchema, JsonValue, Risk } from '@domos/spec'
import type { JsonSchemaType } from './json-schema-type.ts'
import type { OutputOf, StandardSchema } from './standard-schema.ts'

/** A JSON Schema as one writes it, with or without `as const`. */
export type JsonSchemaLike = { readonly type?: string | readonly string[] } & { readonly [key: string]: unknown }

/** How a tool's parameters may be given: any Standard Schema, or a plain JSON Schema. */
export type ToolParameters = StandardSchema | JsonSchemaLike

/** The arguments a handler receives for these parameters. */
export type ToolArgs<P> = P extends StandardSchema
  ? OutputOf<P>
  : P extends JsonSchemaLike
    ? JsonSchemaType<P>
    : JsonObject

/** What a handler is told besides its arguments. */
export interface ToolContext {
  /** Unique per call; a repeated delivery of one call never runs the handler a second time. */
  readonly callId: string
  /** Aborts when the call times out, is cancelled, its tool is unregistered, or the client is destroyed. */
  readonly signal: AbortSignal
  /** The session it runs in; undefined for `callTool` before the first connection. */
  readonly sessionId: string | undefined
  /** Reports progress: a fraction from 0 to 1, a sentence, or both. Each report restarts the handler's time limit. */
  progress(report: { readonly fraction?: number; readonly message?: string }): void
}

/** A tool of the page, as its component declares it (Core Concepts, "Dynamic Tools Registry"). */
export interface ToolDefinition<P extends ToolParameters | undefined = ToolParameters | undefined> {
  /** Unique on the page; the latest registration of a name wins. */
  readonly name: string
  /** What the tool does, for the model. */
  readonly description: string
  /** Checked before a person is asked and before the handler runs. @default any object */
  readonly parameters?: P
  /** Overrides the JSON Schema sent to the server, for schemas that cannot describe themselves. */
  readonly jsonSchema?: JsonSchema
  /** Core Concepts, "HITL Security". An unknown word counts as `high`. @default 'none' */
  readonly risk?: Risk
  /** Additional text for the approval dialog; it never replaces the tool's name, risk and arguments. */
  readonly approvalText?: string
  /** Says that the handler leads to another page, so that its result waits for the new page's tools. @default found out */
  readonly navigates?: boolean
  /** Survives {@link DomOSClient.unregisterComponent}. @default false */
  readonly global?: boolean
  /** Groups tools for {@link DomOSClient.unregisterComponent}. */
  readonly componentId?: string
  /** Unregisters the tool when it aborts. */
  readonly signal?: AbortSignal
  /** Does the work. Its resolved value is the result; a throw is told to the model as a failure. */
  handler(args: ToolArgs<P>, context: ToolContext): unknown
}

/** A tool as the server is told of it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly parameters?: JsonSchema
  readonly risk: Risk
}

/** A registered tool: its description, and what the client needs to run it. */
export interface RegisteredTool extends ToolDescription {
  readonly componentId?: string
  readonly global: boolean
  readonly navigates: boolean
  readonly approvalText?: string
  readonly schema: ToolParameters | undefined
  readonly handler: (args: never, context: ToolContext) => unknown
}

/** The end of a call. */
export type CallOutcome =
  | { readonly status: 'success'; readonly result: JsonValue }
  | { readonly status: 'error'; readonly code: CallErrorCode; readonly error: string }

/** Why a call gave no result. */
export type CallErrorCode =
  | 'failed'
  | 'timeout'
  | 'invalid_arguments'
  | 'unavailable'
  | 'denied'
  | 'expired'
  | 'cancelled'
