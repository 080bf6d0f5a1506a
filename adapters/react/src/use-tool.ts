import type { ToolArgs, ToolContext, ToolDefinition, ToolParameters } from '@domos/core'
import { bindContext, bindTools, type ToolOptions } from '@domos/core/adapter'
import { useDomOSClient } from './provider.ts'
import { useBinding } from './use-binding.ts'

/**
 * Offers the agent a tool for as long as the component is on the page. The latest handler answers; a rendering that
 * changes nothing else is told to nobody.
 */
export function useTool<const P extends ToolParameters | undefined = undefined>(tool: ToolOptions<P>): void {
  useTools([tool as ToolOptions])
}

/** {@link useTool} for a list that may grow and shrink. Give each tool its types with `defineTool`. */
export function useTools(tools: readonly ToolOptions[]): void {
  useBinding(useDomOSClient(), bindTools, tools)
}

/** {@link useTool} with the handler beside the declaration, and the parameters under the name `schema`. */
export function useAgentTool<const P extends ToolParameters | undefined = undefined>(
  { schema, ...tool }: Omit<ToolOptions<P>, 'parameters' | 'handler'> & { readonly schema?: P },
  handler: (args: ToolArgs<P>, context: ToolContext) => unknown,
): void {
  useTool({ ...tool, ...(schema && { parameters: schema }), handler } as ToolDefinition<P>)
}

/** Tells the agent what this part of the page shows, for as long as it is there. Equal data is told once. */
export function useAgentContext(data: object | undefined): void {
  useBinding(useDomOSClient(), bindContext, data)
}
