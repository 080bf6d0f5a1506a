export { createDomOSClient, defineTool, type ToolOptions } from '@domos/core/adapter'
export { DomOSProvider, type DomOSProviderProps, useDomOSClient } from './provider.ts'
export { type Agent, type Approvals, useAgent, useApproval, useDomOSEvent } from './use-agent.ts'
export { useAgentContext, useAgentTool, useTool, useTools } from './use-tool.ts'
