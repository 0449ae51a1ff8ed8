import { routes } from 'virtual:contract-routes'
import { call } from '../../data/query/call.ts'
import { loadParts } from '../open-frame.ts'
import type { FoundPackages } from '../runtime-messages.ts'

/** Packages from our own server, which asks the index that its operator chose, by the rules of the team. */
export async function findPackages(modules: string[], signal: AbortSignal): Promise<FoundPackages> {
  const missing = (why: string) => ({ files: [], missing: modules.map((module) => ({ module, why })) })
  // a shared page has no session
  if (window.origin === 'null') return missing('Packages are not there for visitors of a shared page.')
  try {
    const named = modules.filter((name) => /^[A-Za-z_]\w{0,99}$/.test(name))
    const found = await call(routes.packages.findWheels, { body: { modules: named } }, { signal })
    const addresses = found.wheels.map(({ hash }) => `/api/v1/packages/wheels/${hash}`)
    const loaded = await loadParts(addresses, { bytes: 0, onProgress: undefined, signal })
    const files = found.wheels.map(({ file }, at) => ({ name: file, bytes: loaded[at] as ArrayBuffer }))
    return { files, missing: found.missing }
  } catch (error) {
    signal.throwIfAborted()
    return missing(`Packages for the browser could not be fetched: ${(error as Error).message}.`)
  }
}
