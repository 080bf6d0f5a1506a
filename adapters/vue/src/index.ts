export { createDomOSClient, defineTool, type ToolOptions } from '@domos/core/adapter'
export { DomOSPlugin, type DomOSPluginOptions, provideDomOS, useDomOSClient } from './plugin.ts'
export { type Agent, type Approvals, useAgent, useApproval, useDomOSEvent } from './use-agent.ts'
export { useAgentContext, useAgentTool, useTool, useTools } from './use-tool.ts'
