import type { ScriptEvidence } from '@domos/spec'

/** What was chosen for a page, and why. */
export interface Choice {
  readonly needsScript: boolean
  /** A sentence for the navigate result. */
  readonly reason: string
}

/** Text below which a page with scripts counts as a shell. */
const SHELL_CHARS = 200
/** Text above which a page that asks for script shows its content all the same. */
const READABLE_CHARS = 2_000

/** Decides from what a document's source says whether it is shown truly without script. In doubt it is not. */
export function choose(evidence: ScriptEvidence): Choice {
  const {
    scripts,
    writingScripts,
    textChars,
    emptyRoots,
    emptyRegions,
    emptyCustomElements,
    scriptControls,
    asksForScript,
  } = evidence
  const needs = (reason: string): Choice => ({ needsScript: true, reason })
  if (scripts === 0 && writingScripts === 0) return { needsScript: false, reason: 'The page has no script.' }
  if (emptyRoots.length > 0) return needs(`${emptyRoots[0]} is empty until script fills it.`)
  if (asksForScript && textChars < READABLE_CHARS) return needs('The page says that it needs script.')
  if (emptyCustomElements > 0) return needs(`${emptyCustomElements} elements are made by script alone.`)
  if (emptyRegions > 0) return needs(`${emptyRegions} lists or regions are empty until script fills them.`)
  if (textChars < SHELL_CHARS) return needs(`The source has ${textChars} characters of text; script builds the rest.`)
  if (writingScripts > 0) return needs(`${writingScripts} scripts in the source change the page.`)
  if (scriptControls > 0) return needs(`${scriptControls} controls do nothing without script.`)
  return {
    needsScript: false,
    reason: `The content is in the source; none of its ${scripts} scripts is needed to read it.`,
  }
}
