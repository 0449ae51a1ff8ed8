import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CoherexError } from '@coherex/contract'

const run = promisify(execFile)

/**
 * Python packages the operator offers to every program: wheels (`*.whl`, unpacked) and directories (as
 * `pip install --target` makes them) in one folder, put together in `target`. Undefined when there are none.
 */
export async function unpackOperatorPackages(source: string, target: string): Promise<string | undefined> {
  if (!existsSync(source))
    throw new CoherexError('unavailable', `Cannot offer Python packages: "${source}" does not exist`)
  const entries = readdirSync(source, { withFileTypes: true }).filter((entry) => !entry.name.startsWith('.'))
  for (const entry of entries) {
    const path = join(source, entry.name)
    if (entry.name.endsWith('.whl')) {
      // a wheel is a zip; its native libraries only load from real files
      await run('/usr/bin/python3', ['-I', '-m', 'zipfile', '-e', path, target], { env: {} })
    } else {
      cpSync(path, join(target, entry.name), { recursive: true })
    }
  }
  return entries.length > 0 ? target : undefined
}
