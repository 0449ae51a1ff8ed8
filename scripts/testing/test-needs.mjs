// Plain JavaScript for Node 20 with nothing installed: `npm test` asks it before anything is.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { project } from '../project.mjs'

/**
 * What a test file needs beside Node. It is read from what the file imports, so no list can go stale.
 * @typedef {{ database: boolean, processes: boolean, studio: boolean }} Needs
 * @typedef {'pure' | 'database' | 'sandbox' | 'stories'} Group
 * @typedef {{ from: string, to: string | undefined, names: string[] | undefined }} Import `to` is a file of ours; without `names` all of it is used
 * @typedef {{ imports: Import[], reexports: Import[], startsProcesses: boolean, opensPages: boolean }} Source
 */

const database = 'packages/server/tests/harness/database/test-database.ts'

/** Every test file by the project that runs it. @returns {Record<Group, string[]>} paths below the project */
export function groupTests() {
  /** @type {Record<Group, string[]>} */
  const groups = { pure: [], database: [], sandbox: [], stories: [] }
  for (const path of testFiles()) groups[groupOf(path)].push(path)
  return groups
}

/** @param {string} path @returns {Group} */
export function groupOf(path) {
  const needs = needsOf([path])
  if (!needs.database && !needs.processes) return 'pure'
  if (/^packages\/[^/]+\/tests\//.test(path)) return 'stories'
  return needs.processes ? 'sandbox' : 'database'
}

/** What these files need together. @param {string[]} paths below the project, or absolute @returns {Needs} */
export function needsOf(paths) {
  const files = reachedFrom(paths.map((path) => resolve(project, path)))
  const used = [...files].map((file) => sourceOf(file))
  return {
    database: files.has(join(project, database)),
    processes: used.some(({ startsProcesses }) => startsProcesses),
    studio: used.some(({ opensPages }) => opensPages),
  }
}

/** @returns {string[]} */
export function testFiles() {
  const all = ['packages', 'scripts'].flatMap((folder) => filesBelow(join(project, folder)))
  return all.filter((path) => /^(packages\/[^/]+\/(src|tests)|scripts)\/.*\.test\.tsx?$/.test(path))
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'dist-next'].includes(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [relative(project, path)]
  })
}

/**
 * The files whose code these may call. Through an `index.ts` only the names that are asked for lead on: a room's door names
 * all its files, and who takes one function there starts nothing of the others.
 * @param {string[]} files
 */
function reachedFrom(files) {
  /** @type {Set<string>} */
  const reached = new Set()
  /** @type {Set<string>} */
  const passed = new Set()
  const waiting = files.map((file) => ({ file, names: /** @type {string[] | undefined} */ (undefined) }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { file } = next
    const names = file.endsWith('/index.ts') ? next.names : undefined
    const key = `${file} ${names?.join() ?? ''}`
    if (passed.has(key)) continue
    passed.add(key)
    reached.add(file)
    const { imports, reexports } = sourceOf(file)
    const led = reexports
      .map(({ to, names: all }) => ({ to, names: names ? all?.filter((name) => names.includes(name)) : all }))
      .filter(({ names: wanted }) => wanted?.length !== 0)
    for (const { to, names } of [...imports, ...led]) if (to) waiting.push({ file: to, names })
  }
  return reached
}

/** @type {Map<string, Source>} */
const sources = new Map()

/** @param {string} file @returns {Source} */
function sourceOf(file) {
  const known = sources.get(file)
  if (known) return known
  const text = readFileSync(file, 'utf8')
  /** @type {Pick<Source, 'imports' | 'reexports'>} */
  const { imports, reexports } = { imports: [], reexports: [] }
  for (const [, verb, type, clause = '', from = ''] of text.matchAll(statement)) {
    const names = namesOf(clause)
    const isOfTypes = type !== undefined || names?.length === 0
    if (!isOfTypes) (verb === 'export' ? reexports : imports).push({ from, to: fileOf(file, from), names })
  }
  for (const [, from = ''] of text.matchAll(/\bimport\(\s*'([^']+)'/g))
    imports.push({ from, to: fileOf(file, from), names: undefined })
  const isImported = (/** @type {string} */ name) => imports.some(({ from }) => from === name)
  const source = {
    imports,
    reexports,
    startsProcesses: isImported('node:child_process'),
    opensPages: isImported('playwright-core') || text.includes(`accept: 'text/html`),
  }
  sources.set(file, source)
  return source
}

/** @param {string} file @param {string} from */
function fileOf(file, from) {
  const path = from.startsWith('.') ? resolve(dirname(file), from) : ''
  return /\.(tsx?|mjs)$/.test(path) && existsSync(path) ? path : undefined
}

// as the formatter writes them: at the margin, in single quotes
const statement = /^(import|export) (type )?(?:([^'"=;()]*?) from )?'([^']+)'/gm

/** The names that code uses of what is in braces; undefined where everything is. @param {string} clause */
function namesOf(clause) {
  const braces = /^\{([^}]*)\}$/.exec(clause.trim())
  if (!braces) return undefined
  const names = (braces[1] ?? '').split(',').map((one) => one.trim())
  return names.filter((one) => one !== '' && !one.startsWith('type ')).map((one) => one.split(' as ')[0] ?? one)
}
