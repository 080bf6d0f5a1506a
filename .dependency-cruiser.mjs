// The import table of ARCHITECTURE.md as rules: one row, one rule. A row names a folder and the other folders of this
// project that its sources may import; tests are free to import more.

const rows = [
  ['packages/spec', []],
  ['packages/wire', ['packages/spec']],
  ['packages/agent', ['packages/spec', 'packages/wire']],
  ['packages/voice', ['packages/spec', 'packages/wire']],
  ['packages/som', ['packages/spec']],
  ['packages/headless', ['packages/spec', 'packages/som']],
  ['packages/server', ['packages/spec', 'packages/wire']],
  ['packages/core', ['packages/spec', 'packages/wire', 'protocols/adtp', 'protocols/audio']],
  ['packages/testing', ['packages/spec', 'packages/wire', 'packages/core']],
  ['protocols/[^/]+', ['packages/spec', 'packages/wire']],
  ['models/[^/]+', ['packages/spec', 'packages/wire']],
  ['speech/[^/]+', ['packages/spec', 'packages/wire', 'speech/worker']],
  ['engines/[^/]+', ['packages/spec', 'packages/wire', 'packages/som']],
  ['stores/[^/]+', ['packages/spec', 'packages/wire']],
  ['adapters/[^/]+', ['packages/core']],
]

const own = '^(packages|protocols|adapters|models|speech|engines|stores|apps|examples|test|bench)/'
const tests = '\\.test\\.tsx?$|(^|/)test/|^bench/'
const portable = '^(packages/(spec|wire|agent|voice|som|headless|core)|protocols/[^/]+|adapters/[^/]+)/src/'

const rowRules = rows.map(([folder, allowed]) => ({
  name: `${folder.replace('/[^/]+', '/*')} imports ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')} alone`,
  severity: 'error',
  from: { path: `^(${folder})/src/`, pathNot: tests },
  to: { path: own, pathNot: [`^${folder.includes('[') ? '$1' : folder}/`, ...allowed.map((each) => `^${each}/`)] },
}))

export default {
  forbidden: [
    ...rowRules,
    {
      name: 'nothing but the composition imports a plug-in, an app or an example',
      severity: 'error',
      from: {
        path: '^(packages|protocols|adapters|models|speech|engines|stores)/',
        pathNot: [tests, '^packages/cli/'],
      },
      to: { path: '^(models|speech|engines|stores|apps|examples|adapters)/', pathNot: ['^$1/', '^speech/worker/'] },
    },
    {
      name: 'portable packages use nothing of Node alone',
      severity: 'error',
      from: { path: portable, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sources import no test',
      severity: 'error',
      from: { path: own, pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'sources import no test tool',
      severity: 'error',
      from: { path: '/src/', pathNot: [tests, '^packages/testing/'] },
      to: { path: 'node_modules/(vitest|fast-check|happy-dom|playwright-core|axe-core)/' },
    },
    {
      name: 'the AI SDK stays in models/ai-sdk',
      severity: 'error',
      from: { pathNot: '^models/ai-sdk/' },
      to: { path: 'node_modules/(ai|@ai-sdk)/' },
    },
    {
      name: 'no circle of imports',
      severity: 'error',
      from: { path: own },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every import is found',
      severity: 'error',
      from: { path: own },
      // Types alone, and files that Vite makes a worker of, are no modules to be found.
      to: { couldNotResolve: true, pathNot: ['^devtools-protocol', '\\?worker&url$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|public)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@domos/source', 'import', 'module', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts', '.json', '.css'],
    },
  },
}
