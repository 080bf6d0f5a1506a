export { createNetworkPolicy, isPublicAddress, matchesDomain, type NetworkPolicyOptions } from './network-policy.ts'
