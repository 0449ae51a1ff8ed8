import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from './step.mjs'

export const project = fileURLToPath(new URL('..', import.meta.url)).replace(/(.)\/$/, '$1')

/** The Node that npm brought; the sources need it. */
export function bundledNode() {
  const path = join(project, 'node_modules/.bin/node')
  if (existsSync(path)) return realpathSync(path)
  throw new Problem(
    `No Node 26 for ${process.platform}-${process.arch} came with the packages: run npm ci and try again`,
  )
}

/** The script behind a package's command, to be run by the bundled Node whatever the shell finds first. @param {string} path */
export const inModules = (path) => join(project, 'node_modules', path)
