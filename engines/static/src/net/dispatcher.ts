import { lookup as dnsLookup } from 'node:dns'
import { DomosError, type NetworkPolicy } from '@domos/spec'
import { Agent, buildConnector } from 'undici'

/** Connections of one context. */
export interface Dispatcher {
  readonly agent: Agent
  close(): Promise<void>
}

/** How many sockets one context keeps open to one origin. */
const CONNECTIONS_PER_ORIGIN = 6
const CONNECT_TIMEOUT_MS = 10_000

type LookupCallback = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void

/**
 * Makes the connections of a context. Every DNS answer is put to the policy before connecting, and the address a socket
 * really reached once more after it, so that a name that changes its answer in between gets nowhere.
 */
export function createDispatcher(policy: NetworkPolicy): Dispatcher {
  const lookup = (
    hostName: string,
    options: { all?: boolean; family?: number | string },
    callback: LookupCallback,
  ): void => {
    dnsLookup(hostName, { ...options, all: true } as { all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, [])
        return
      }
      try {
        for (const { address } of addresses) policy.checkAddress(hostName, address)
      } catch (thrown) {
        callback(thrown as Error, [])
        return
      }
      const first = addresses[0]
      if (options.all === true) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
  const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup } as Parameters<typeof buildConnector>[0])
  const agent = new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 65_536,
    connect(options, callback) {
      connector(options, (...result) => {
        const [error, socket] = result
        if (error !== null || socket === null) {
          callback(error ?? new Error('no socket'), null)
          return
        }
        try {
          policy.checkAddress(options.hostname, socket.remoteAddress ?? '')
        } catch (thrown) {
          socket.destroy()
          callback(thrown as Error, null)
          return
        }
        callback(null, socket)
      })
    },
  })
  return {
    agent,
    close: () => agent.destroy(),
  }
}

/** Gives a network failure its code; what the policy refused keeps its own. The text tells nothing about closed ports. */
export function toNavigationError(thrown: unknown, url: URL): DomosError {
  for (let error: unknown = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof DomosError) return error
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return new DomosError('navigation_failed', `The host ${url.hostname} has no address.`, {
        details: { reason: 'DNS_FAILED', host: url.hostname },
        cause: thrown,
      })
    }
    if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
      return new DomosError('navigation_failed', `The certificate of ${url.hostname} is not accepted (${code}).`, {
        details: { reason: 'TLS_FAILED', host: url.hostname },
        cause: thrown,
      })
    }
    if (/TIMEOUT|ETIMEDOUT/.test(code)) {
      return new DomosError('timeout', `${url.hostname} did not answer in time.`, {
        details: { reason: 'REQUEST_TIMEOUT', host: url.hostname },
        cause: thrown,
      })
    }
  }
  return new DomosError('navigation_failed', `${url.hostname} could not be reached or broke off.`, {
    details: { reason: 'NETWORK_FAILED', host: url.hostname },
    cause: thrown,
  })
}
