import type { Risk } from './risk.ts'

/** The scopes of the documents: AWP, "Permissions", and the two of the page and voice doors. */
export const SCOPES = [
  'som:read',
  'page:act',
  'page:evaluate',
  'session:write',
  'network:configure',
  'skills:invoke',
  'agent:use',
  'voice:use',
] as const

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number]

/** Who is at the far end of a wire. */
export interface Principal {
  /** Stable id, safe in logs; never a key. */
  readonly id: string
  readonly tenant: string
  allows(scope: string): boolean
  /** Host names (exact, or `*.example.com`) this principal may reach; undefined = no restriction. */
  readonly allowedDomains?: readonly string[]
  /** Tools above this risk are refused to this principal's sessions, without asking anybody. @default no bound */
  readonly maxRisk?: Risk
}

/** What a peer shows to be let in. Empty where the door needs no key. */
export interface Credentials {
  readonly door: DoorName
  /** API key or bearer token. */
  readonly token?: string
  readonly origin?: string
  readonly remoteAddress?: string
}

/** The three doors. */
export type DoorName = 'adtp' | 'voice' | 'awp'
