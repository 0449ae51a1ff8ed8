import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { project } from './project.mjs'
import { Problem, lastWords, run, step } from './step.mjs'

const lockfile = join(project, 'package-lock.json')
const marker = join(project, 'node_modules/.coherex-lock')
const npmRecord = join(project, 'node_modules/.package-lock.json')

/** Installs what the lockfile says, when that is not what is installed. */
export async function installDependencies() {
  await step('Installing the packages of the lockfile; the first time takes one to two minutes', async () => {
    const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
    const isMarked = existsSync(marker) && readFileSync(marker, 'utf8') === wanted
    if (isMarked || isInstalled()) {
      if (!isMarked) writeFileSync(marker, wanted)
      return 'Packages are those of the lockfile'
    }
    // the database's programs run as another user, who must be able to read them whatever the umask here is
    process.umask(0o022)
    // npm ci empties node_modules first, so an installation that was cut short leaves no marker
    const { code, output } = await run(
      [...npm(), 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'],
      {
        cwd: project,
        env: { ...process.env, PATH: systemPath() },
      },
    )
    if (code === 127) throw new Problem('Cannot install packages: npm was not found')
    if (code !== 0) throw new Problem(`Cannot install packages: ${lastWords(output)}`)
    writeFileSync(marker, wanted)
    return 'Installed the packages of the lockfile'
  })
}

/** Whether someone's own npm install or npm ci has already brought what the lockfile says: npm keeps a record, written last. */
function isInstalled() {
  const [wanted, installed] = [lockfile, npmRecord].map(packagesIn)
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const there = installed[path]
    if (path === '' || !there) return path === '' || optional // for another platform
    return there.version === version && there.integrity === integrity
  })
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined // not there, or cut short
  }
}

/** The npm that called us, or the one of the path. */
export function npm() {
  const { npm_node_execpath: node, npm_execpath: cli } = process.env
  const usable = node && cli && cli.endsWith('npm-cli.js') && existsSync(cli) && !node.startsWith(project)
  return usable ? [node, cli] : ['npm']
}

/** Without the node_modules/.bin that npm put first: the Node in there is about to be replaced. */
function systemPath() {
  const entries = (process.env['PATH'] ?? '').split(delimiter)
  return entries.filter((entry) => !entry.startsWith(project)).join(delimiter)
}
