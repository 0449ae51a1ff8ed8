import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findUv } from '../../../src/runtimes/index.ts'

/** The uv that the project installs, or one on the PATH; undefined on a machine without. */
export function findAnyUv(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'uv'))
  return findUv() ?? onPath.find((path) => path !== '' && existsSync(path))
}
