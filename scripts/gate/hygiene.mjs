import { basename } from 'node:path'
import { projectFiles, readText } from './tool.mjs'

/** Written in pieces, so that this file does not find itself. */
const host = (...labels) => labels.join('\\.')

const forbidden = [
  { what: 'a path of one machine', pattern: /(?<![\w./-])\/(?:work|root|home\/\w+|Users\/\w+)\/[\w.-]/ },
  {
    what: 'the address of a package registry',
    pattern: new RegExp(
      [
        host('registry', 'npmjs', 'org'),
        host('registry', 'yarnpkg', 'com'),
        host('deb', 'debian', 'org'),
        host('security', 'debian', 'org'),
        host('pypi', 'org'),
        host('files', 'pythonhosted', 'org'),
        host('repo', 'maven', 'apache', 'org'),
        host('proxy', 'golang', 'org'),
        host('static', 'crates', 'io'),
      ].join('|'),
    ),
  },
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/, except: /(^|\/)(?:test|fixtures)\// },
  {
    what: 'an API key',
    pattern:
      /\b(?:sk-(?:ant-|proj-)?[A-Za-z0-9_]{24,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|AIza[\w-]{35}|xox[abp]-[\w-]{20,})\b/,
  },
  { what: 'a conflict marker', pattern: /^(?:<{7}|>{7}) /m },
]

/** No secret, machine path or registry address in any file, and a lock file that works with any registry. */
export async function checkHygiene() {
  const files = projectFiles()
  const problems = files.flatMap((path) => [...textProblems(path, readText(path)), ...nameProblems(path)])
  return { problems: [...problems, ...lockProblems()], note: `${files.length} files` }
}

/** What a file's text must not have, as sentences; undefined text (a binary file) has nothing. */
export function textProblems(path, text) {
  if (text === undefined || basename(path) === 'package-lock.json') return []
  return forbidden.flatMap(({ what, pattern, except }) => {
    const found = except?.test(path) ? null : pattern.exec(text)
    if (found === null) return []
    return [`${path}:${text.slice(0, found.index).split('\n').length} has ${what}.`]
  })
}

function nameProblems(path) {
  const isCode = /^(?!docs\/decisions).*\.(?:ts|tsx|mjs|js)$/.test(path)
  const stem = basename(path).replace(/^\./, '').split('.')[0]
  return isCode && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(stem) ? [`${path} is not named in kebab-case.`] : []
}

function lockProblems() {
  const { packages } = JSON.parse(readText('package-lock.json'))
  return Object.entries(packages).flatMap(([path, { resolved, integrity, link }]) => {
    if (path === '' || link === true || !path.includes('node_modules/')) return []
    if (resolved !== undefined)
      return [`package-lock.json: ${path} carries a download address. Keep .npmrc and run npm install.`]
    return integrity === undefined ? [`package-lock.json: ${path} has no integrity.`] : []
  })
}
