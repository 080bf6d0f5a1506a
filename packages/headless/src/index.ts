export { ACTIONS, INTENT_LEVELS, type NormalAction, normalizeAction } from './act/actions.ts'
export { type BrowsingOptions, createBrowsing } from './browsing.ts'
export { BROWSING_LIMITS, type BrowsingLimits } from './limits.ts'
export {
  combinePolicies,
  createNetworkPolicy,
  isPublicAddress,
  matchesDomain,
  type NetworkPolicyOptions,
} from './network-policy.ts'
export { type ImpersonationProfile, PROFILES } from './profiles.ts'
export type { SessionVault, StoredSession } from './session/vault.ts'
export { type BrowsingTools, type BrowsingToolsOptions, createBrowsingTools } from './tools.ts'
