export { mcp } from '../mcp/serve-mcp.ts'
