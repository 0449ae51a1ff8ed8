import { pythonPackageOf } from './module-packages.ts'
import { normalizeName } from './requirement.ts'

/** Where a name is that of a module, which package brings it. */
export function moduleHint(name: string): string {
  const known = pythonPackageOf(name) ?? pythonPackageOf(name.replaceAll('-', '_'))
  return known && normalizeName(known) !== normalizeName(name)
    ? `: the module comes with "${known}"`
    : ': check its name'
}
