import { routes } from 'virtual:contract-routes'
import { call } from '../../data/query/call.ts'
import type { Drawing } from './drawing.ts'
import { findImports } from './find-imports.ts'

/** Packages that a component imports, as our own server bundles them by the rules of the team: its frame reaches nobody. */
export async function bundleImports(code: string, signal: AbortSignal): Promise<Drawing['packages']> {
  const imports = findImports(code)
  if (imports.length === 0) return undefined
  const none = (why: string) => ({ code: '', missing: imports.map((module) => ({ module, why })) })
  // a shared page has no session
  if (window.origin === 'null') return none('Packages are not there for visitors of a shared page.')
  try {
    return await call(routes.packages.bundle, { body: { imports } }, { signal })
  } catch (error) {
    signal.throwIfAborted()
    return none((error as Error).message)
  }
}
