import type { ToolParameters } from '@domos/core'
import { bindContext, bindTools, type ToolOptions } from '@domos/core/adapter'
import { createBinding } from './client.ts'

/**
 * Offers the agent a tool for as long as the component lives. Give a function where the tool changes; a change of the
 * handler alone is told to nobody.
 */
export function createTool<const P extends ToolParameters | undefined = undefined>(
  tool: ToolOptions<P> | (() => ToolOptions<P>),
): void {
  createTools(() => [(typeof tool === 'function' ? tool() : tool) as ToolOptions])
}

/** {@link createTool} for a list that may grow and shrink. Give each tool its types with `defineTool`. */
export function createTools(tools: () => readonly ToolOptions[]): void {
  createBinding(bindTools, tools)
}

/** Tells the agent what this part of the page shows, for as long as it is there; follows the state that it reads. */
export function createAgentContext(data: () => object | undefined): void {
  createBinding(bindContext, data)
}
