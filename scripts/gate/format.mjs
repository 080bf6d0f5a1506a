import { problemsOf, runTool } from './tool.mjs'

/** Biome's formatter, linter and import order over everything git knows. */
export async function checkFormat() {
  const args = ['ci', '--colors=off', '--max-diagnostics=50', '.']
  return { problems: problemsOf(await runTool('@biomejs/biome/bin/biome', args), 'biome') }
}
