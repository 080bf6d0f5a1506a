export { POCKETSPHINX_LIMITS, type PocketsphinxLimits } from './limits.ts'
export { createPocketsphinx, type PocketsphinxOptions } from './pocketsphinx.ts'
export { grammarFromHints, type HintGrammar } from './tool-grammar.ts'
