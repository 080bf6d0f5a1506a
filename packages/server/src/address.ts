/** Host names and addresses that mean "this machine". */
const LOOPBACK_NAMES = new Set(['localhost', '[::1]', '::1'])

/** Whether a host name (without port) or address is loopback. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (LOOPBACK_NAMES.has(name) || name.endsWith('.localhost')) return true
  return /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/** Whether a host is an IP literal; a DNS name can be pointed anywhere by its owner, a literal cannot. */
export function isIpLiteral(host: string): boolean {
  return host.startsWith('[') || host.includes('::') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host)
}

/** The host name of a `Host` header or an origin's `host`, without port; undefined when malformed. */
export function hostName(hostHeader: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/i.exec(hostHeader)
  return match?.[1]?.toLowerCase()
}
