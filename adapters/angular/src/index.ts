export { createDomOSClient, defineTool, type ToolOptions } from '@domos/core/adapter'
export { type Agent, type Approvals, injectAgent, injectApproval, injectDomOSEvent } from './agent.ts'
export { type DomOSOptions, injectDomOS, provideDomOS } from './provide.ts'
export { injectAgentContext, injectTool, injectTools, registerContext } from './tools.ts'
