export { type ApprovalQueue, approvalQueue, createDomOSClient, defineTool, type ToolOptions } from '@domos/core/adapter'
export { bridgeWebMcp, type PageTool, type WebMcpOptions } from '@domos/core/webmcp'
export { connectChat } from './chat.ts'
export { type DiscoverOptions, discover } from './discover.ts'
export {
  destroy,
  getClient,
  type InitOptions,
  init,
  onResponse,
  registerTool,
  sendText,
  subscribeEvent,
} from './domos.ts'
export type { CallDetail } from './element-tool.ts'
