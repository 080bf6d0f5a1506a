import type { ToolArgs, ToolContext, ToolDefinition, ToolParameters } from '@domos/core'
import { bindContext, bindTools, type ToolOptions } from '@domos/core/adapter'
import { type MaybeRefOrGetter, toValue } from 'vue'
import { useBinding } from './use-binding.ts'

/**
 * Offers the agent a tool for as long as the component is on the page. Give a getter or a ref where it changes; a change
 * of the handler alone is told to nobody.
 */
export function useTool<const P extends ToolParameters | undefined = undefined>(
  tool: ToolOptions<P> | (() => ToolOptions<P>),
): void {
  useTools(() => [toValue(tool) as ToolOptions])
}

/** {@link useTool} for a list that may grow and shrink. Give each tool its types with `defineTool`. */
export function useTools(tools: MaybeRefOrGetter<readonly ToolOptions[]>): void {
  useBinding(bindTools, () => toValue(tools).map((tool) => ({ ...tool })))
}

/** {@link useTool} with the handler beside the declaration, and the parameters under the name `schema`. */
export function useAgentTool<const P extends ToolParameters | undefined = undefined>(
  { schema, ...tool }: Omit<ToolOptions<P>, 'parameters' | 'handler'> & { readonly schema?: P },
  handler: (args: ToolArgs<P>, context: ToolContext) => unknown,
): void {
  useTool({ ...tool, ...(schema && { parameters: schema }), handler } as ToolDefinition<P>)
}

/** Tells the agent what this part of the page shows, for as long as it is there; follows refs and reactive objects. */
export function useAgentContext(data: MaybeRefOrGetter<object | undefined>): void {
  useBinding(bindContext, () => {
    const now = toValue(data)
    // A copy reads every property, so that the change of any is noticed.
    return now && (JSON.parse(JSON.stringify(now)) as object)
  })
}
