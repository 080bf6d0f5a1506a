import type { ToolContext, ToolDescription } from '@domos/core'
import { useId, useLayoutEffect, useRef } from 'react'
import type { z } from 'zod'
import { useAgentClient } from './client.ts'

/** A tool as a component declares it. Keep `parameters` outside the component, so that renders leave it the same. */
export interface ShopTool<Schema extends z.ZodType> {
  readonly name: string
  readonly description: string
  readonly parameters: Schema
  readonly risk: ToolDescription['risk']
  /** Whether a call may lead to another page, with other tools. @default false */
  readonly navigates?: boolean
  /** What the approval dialog says besides name, risk and arguments. */
  readonly approvalText?: string
  /** Whether the tool is there at all. @default true */
  readonly enabled?: boolean
  readonly handler: (args: z.output<Schema>, call: ToolContext) => unknown
}

/**
 * Gives the agent a tool for as long as the component lives. The latest handler answers; a render that changes only the
 * handler registers nothing anew.
 */
export function useTool<Schema extends z.ZodType>(tool: ShopTool<Schema>): void {
  const client = useAgentClient()
  const latest = useRef(tool.handler)
  useLayoutEffect(() => {
    latest.current = tool.handler
  })
  const { name, description, parameters, risk, approvalText, navigates = false, enabled = true } = tool
  useLayoutEffect(() => {
    if (!enabled) return
    return client.registerTool({
      name,
      description,
      parameters,
      risk,
      navigates,
      ...(approvalText === undefined ? {} : { approvalText }),
      handler: async (args: unknown, call: ToolContext) => latest.current(args as z.output<Schema>, call),
    })
  }, [client, name, description, parameters, risk, approvalText, navigates, enabled])
}

/** Tells the agent what the page shows, for as long as the component lives. Equal data is sent once. */
export function usePageContext(data: Readonly<Record<string, unknown>>): void {
  const client = useAgentClient()
  const owner = useId()
  const json = JSON.stringify(data)
  useLayoutEffect(() => client.setContext(JSON.parse(json), owner), [client, json, owner])
}
