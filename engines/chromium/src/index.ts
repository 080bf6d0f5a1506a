export { type EgressLimits, type EgressProxy, openEgressProxy } from './egress/proxy.ts'
export { type ChromiumEngineOptions, createChromiumEngine } from './engine.ts'
export { findBrowser, HOW_TO_GET_A_BROWSER } from './launch/find-browser.ts'
export { CHROMIUM_LIMITS, type ChromiumLimits } from './limits.ts'
