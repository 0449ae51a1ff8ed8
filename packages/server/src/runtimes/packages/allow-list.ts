import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  dependencies: Record<string, string>
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as Manifest

/** The packages guest JavaScript may import, with their exact versions. */
export const allowedPackages: Readonly<Record<string, string>> = manifest.dependencies

/** The package a specifier belongs to, if guests may import it; a subpath may name any file the package exports. */
export function allowedPackage(specifier: string): string | undefined {
  const match = /^((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)((?:\/[\w-][\w.-]*)*)$/i.exec(specifier)
  const name = match?.[1]
  return name !== undefined && specifier.length <= 200 && Object.hasOwn(allowedPackages, name) ? name : undefined
}
