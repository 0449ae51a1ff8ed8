import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The library behind SQL, as guests see it: only its native part, the rest is in the guest's own bundle. */
export function duckDbModules(): { host: string; guest: string }[] {
  const package_ = `@duckdb/node-bindings-linux-${process.arch}`
  // found from the package that depends on it; on a platform without it there is no SQL
  const bindings = createRequire(createRequire(import.meta.url).resolve('@duckdb/node-api'))
  try {
    const host = dirname(bindings.resolve(`${package_}/package.json`))
    return existsSync(join(host, 'duckdb.node')) ? [{ host, guest: `/opt/node_modules/${package_}` }] : []
  } catch {
    return []
  }
}
