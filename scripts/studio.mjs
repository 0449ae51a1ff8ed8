import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bundledNode, inModules, project } from './project.mjs'
import { Problem, lastWords, run, step } from './step.mjs'

const studio = join(project, 'packages/studio')
const built = join(studio, 'dist')
const next = join(studio, 'dist-next')
const marker = join(built, '.sources')
// R in the browser is prepared as R on the server is
const guestR = 'packages/server/src/runtimes/process/guest/r'

/** Builds the web app when what it is made of has changed. */
export async function buildStudio() {
  await step('Building the studio', async () => {
    const sources = hashOf(['packages/studio', 'packages/contract', guestR, 'package-lock.json'])
    if (existsSync(marker) && readFileSync(marker, 'utf8') === sources) return 'The studio is built'
    const { code, output } = await run(
      [bundledNode(), inModules('vite/bin/vite.js'), 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'],
      { cwd: studio },
    )
    if (code !== 0) throw new Problem(`Cannot build the studio: ${firstError(output)}`)
    writeFileSync(join(next, '.sources'), sources)
    // a whole build replaces a whole build: a server that runs meanwhile never serves half of one
    rmSync(built, { recursive: true, force: true })
    renameSync(next, built)
    return 'Built the studio'
  })
}

/** Vite says "Build failed with 1 error:", then what and where, then a stack. @param {string} output */
function firstError(output) {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const announced = lines.findIndex((line) => line.startsWith('Build failed with'))
  return lines.find((line) => /^\w*Error: /.test(line)) ?? lines[announced + 1] ?? lastWords(output)
}

/** @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((path) => filesUnder(path)))
    hash.update(`${path}\0`).update(readFileSync(join(project, path)))
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
  const full = join(project, path)
  if (!existsSync(full)) return []
  if (path.endsWith('.json')) return [path]
  return readdirSync(full, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', 'dist-next'].includes(name) && !/\.test\.tsx?$/.test(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]))
}
