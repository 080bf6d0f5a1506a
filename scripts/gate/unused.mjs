import { problemsOf, runTool } from './tool.mjs'

/** Files, exports and dependencies that nothing uses, and dependencies that are used and not listed. */
export async function checkUnused() {
  const result = await runTool('knip/bin/knip.js', ['--no-progress', '--no-config-hints'])
  return { problems: problemsOf(result, 'knip') }
}
