import { registerProcessors } from './processors.ts'

// Served from one's own origin, this module is what a page with a strict Content-Security-Policy gives as `workletUrl`.
registerProcessors(globalThis as never)
