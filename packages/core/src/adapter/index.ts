// What every framework package needs beyond the client: values it can follow, and declarations tied to a component's life.

export { type AgentSnapshot, type AgentStore, agentStore, IDLE_AGENT, type Readable } from './agent-store.ts'
export { type ApprovalQueue, approvalQueue, createDomOSClient } from './approval-queue.ts'
export { type Binding, bindContext, bindTools, defineTool, type ToolOptions } from './bindings.ts'
export { holdClient } from './hold-client.ts'
