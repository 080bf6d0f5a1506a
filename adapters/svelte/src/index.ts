export { createDomOSClient, defineTool, type ToolOptions } from '@domos/core/adapter'
export { type Agent, type Approvals, createAgent, createApproval, onDomOSEvent } from './agent.ts'
export { createDomOS, type DomOSOptions, getDomOS } from './client.ts'
export { createAgentContext, createTool, createTools } from './tools.ts'
