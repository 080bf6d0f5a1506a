import type { ToolParameters } from '@domos/core'
import { bindContext, bindTools, type ToolOptions } from '@domos/core/adapter'
import { bindLife } from './provide.ts'

/**
 * Offers the agent a tool for as long as the component lives. Give a function where signals change it; a change of the
 * handler alone is told to nobody. Call it where Angular injects, such as a field or the constructor.
 */
export function injectTool<const P extends ToolParameters | undefined = undefined>(
  tool: ToolOptions<P> | (() => ToolOptions<P>),
): void {
  injectTools(() => [(typeof tool === 'function' ? tool() : tool) as ToolOptions])
}

/** {@link injectTool} for a list that may grow and shrink. Give each tool its types with `defineTool`. */
export function injectTools(tools: () => readonly ToolOptions[]): void {
  bindLife(bindTools, tools)
}

/** Tells the agent what this part of the page shows, for as long as it is there; follows the signals that it reads. */
export function injectAgentContext(data: () => object | undefined): void {
  bindLife(bindContext, data)
}

/** {@link injectAgentContext}. */
export function registerContext(data: () => object | undefined): void {
  injectAgentContext(data)
}
