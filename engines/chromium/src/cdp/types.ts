import type { Protocol } from 'devtools-protocol'
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts'

export type { Protocol }

/** Methods of the DevTools protocol. */
export type Method = keyof ProtocolMapping.Commands
/** Parameters of a method. */
export type Params<M extends Method> = ProtocolMapping.Commands[M]['paramsType'][0]
/** Result of a method. */
export type Result<M extends Method> = ProtocolMapping.Commands[M]['returnType']
/** Events of the DevTools protocol. */
export type EventName = keyof ProtocolMapping.Events
/** Parameters of an event. */
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0]
