export { type EgressLimits, type EgressProxy, openEgressProxy } from './egress/proxy.ts'
