import type { Emitter } from './emitter.ts'
import type { ClientEvents, ClientHandlers } from './events.ts'

/** Listens with an object of handlers; the returned function ends all of it. */
export function subscribeHandlers(events: Emitter<ClientEvents>, handlers: ClientHandlers): () => void {
  const undo = [
    events.on('tool.call.requested', (call) => handlers.onToolCall?.(call)),
    events.on('tool.call.settled', (call) => handlers.onToolSettled?.(call)),
    events.on('approval.requested', (request) => handlers.onApprovalRequest?.(request)),
    events.on('connection.state.changed', ({ state }) => handlers.onStateChange?.(state)),
    events.on('session.started', ({ sessionId }) => handlers.onSessionId?.(sessionId)),
    events.on('agent.response.delta', ({ text }) => handlers.onAgentResponse?.(text, false)),
    events.on('agent.response.done', () => handlers.onAgentResponse?.('', true)),
    events.on('system.event', ({ kind, message }) => handlers.onSystemEvent?.(kind, message)),
    events.on('system.error', ({ message, error }) => {
      handlers.onSystemEvent?.('error', message)
      handlers.onError?.(error)
    }),
    events.on('tool.registry.synced', ({ tools }) => handlers.onToolsSync?.(tools)),
    events.on('tool.registry.effective', ({ effective }) => handlers.onEffectiveTools?.(effective)),
  ]
  return () => {
    for (const end of undo) end()
  }
}
