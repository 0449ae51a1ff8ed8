import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Where sandboxes see the language server of Python, read-only. */
export const basedpyrightInside = '/opt/basedpyright'

/** What sandboxes are to be shown for it; nothing where the package is not installed. */
export function findBasedpyright(): { host: string; guest: string }[] {
  try {
    const host = dirname(createRequire(import.meta.url).resolve('basedpyright/package.json'))
    return [{ host, guest: basedpyrightInside }]
  } catch {
    return []
  }
}
