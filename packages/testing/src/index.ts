export {
  createProviderServer,
  type ProviderApi,
  type ProviderReply,
  type ProviderRequest,
  type ProviderServer,
  type ProviderServerOptions,
  type ProviderStreamedToolCall,
  type ProviderToolCall,
  type ProviderToolName,
  replyFromCase,
} from './provider-server.ts'
