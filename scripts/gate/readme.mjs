import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inProject } from '../lib/project.mjs'
import { projectFiles, readText } from './tool.mjs'

const codeLanguages = new Set(['ts', 'tsx', 'js', 'jsx', 'mjs', 'html', 'svelte', 'vue', 'json', 'yaml'])

/**
 * Documents and code agree: a block of code follows a line `<!-- file: PATH -->` and equals that file, or the part of
 * it between `// #region NAME` and `// #endregion` for `PATH#NAME`; or it follows `<!-- in: PATH -->` and stands in that
 * file, at any indent. Links and pictures inside the project exist.
 */
export async function checkReadme() {
  const documents = projectFiles().filter((path) => path.endsWith('.md') && !path.startsWith('.changeset/'))
  const problems = documents.flatMap((path) => documentProblems(path, readText(path) ?? ''))
  if (!documents.includes('README.md')) problems.push('README.md is missing.')
  return { problems, note: `${documents.length} documents` }
}

/** What is wrong with one document, as sentences. */
export function documentProblems(path, text) {
  return [...blockProblems(path, text), ...linkProblems(path, text), ...scriptProblems(path, text)]
}

function blockProblems(path, text) {
  const blocks = text.matchAll(/(?:<!-- (file|in): (\S+) -->\n)?```(\w+)\n([\s\S]*?)\n```/g)
  return [...blocks].flatMap(([, relation, source, language, code]) => {
    if (!codeLanguages.has(language)) return []
    const start = code.split('\n')[0]
    if (source === undefined) return [`${path}: the block that begins "${start}" does not name its file.`]
    const wanted = readPart(source)
    if (wanted === undefined) return [`${path}: there is no ${source}.`]
    if (relation === 'in') {
      const isThere = withoutIndent(wanted).includes(withoutIndent(code))
      return isThere ? [] : [`${path}: the block that begins "${start}" is not in ${source}.`]
    }
    return wanted === code
      ? []
      : [`${path}: the block from ${source} differs from the file.\n${difference(wanted, code)}`]
  })
}

/** The text of `PATH` or `PATH#REGION`, its common indent taken off. */
function readPart(source) {
  const [path, region] = source.split('#')
  const text = readText(path)
  if (text === undefined || region === undefined) return text?.trimEnd()
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// #endregion')
  if (start < 0 || length < 0) return undefined
  const part = lines.slice(start + 1, start + 1 + length)
  const indent = Math.min(...part.filter((line) => line !== '').map((line) => line.search(/\S/)))
  return part.map((line) => line.slice(indent)).join('\n')
}

const withoutIndent = (text) => text.replace(/^[ \t]+/gm, '')

function difference(wanted, found) {
  const [wantedLines, foundLines] = [wanted.split('\n'), found.split('\n')]
  const at = wantedLines.findIndex((line, index) => line !== foundLines[index])
  const line = at < 0 ? wantedLines.length : at
  return `  file:     ${wantedLines[line] ?? '(ends)'}\n  document: ${foundLines[line] ?? '(ends)'}`
}

function linkProblems(path, text) {
  const links = text.replace(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)
  return [...links]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(inProject(join(dirname(path), target))))
    .map((target) => `${path} links to ${target}, which is not there.`)
}

function scriptProblems(path, text) {
  const { scripts } = JSON.parse(readText('package.json'))
  return [...text.matchAll(/npm run ([\w:-]+)/g)]
    .map(([, name]) => name)
    .filter((name) => scripts[name] === undefined)
    .map((name) => `${path} names "npm run ${name}", which package.json does not have.`)
}
