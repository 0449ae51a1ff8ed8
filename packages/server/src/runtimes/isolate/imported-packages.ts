import { isBuiltin } from 'node:module'
import type { Program } from '../runtime.ts'
import { builtinId } from './child/resolve.ts'
import { isRelative, reachedModules } from './reached-modules.ts'

/** A package that a program imports by name. */
export interface ImportedPackage {
  name: string
  /** Of `npm:name@range`; empty where any version does. */
  range: string
  specifier: string
}

const form = /^(npm:)?((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([^/]{1,100}))?(?:\/.*)?$/i

/** The package of an import; undefined for files, addresses and what the language brings. */
function readPackageSpecifier(specifier: string): ImportedPackage | undefined {
  if (specifier.length > 300 || isRelative(specifier) || builtinId(specifier) !== undefined) return undefined
  const [, isPinned, name, range = ''] = form.exec(specifier) ?? []
  // a package that is named like a module of Node is that module
  if (name === undefined || isBuiltin(specifier) || isBuiltin(name)) return undefined
  // without `npm:` an `@` is part of a path
  if (range !== '' && isPinned === undefined) return undefined
  return { name, range, specifier }
}

/** Packages that a JavaScript or TypeScript program and the files it reaches import, each once. */
export function importedPackages(program: Program): ImportedPackage[] {
  // most programs import nothing, and reading one takes longer than looking for the words
  if (![program.code, ...Object.values(program.files)].some(mayImport)) return []
  const found = new Map<string, ImportedPackage>()
  for (const { specifiers } of reachedModules(program)) {
    for (const specifier of specifiers) {
      const read = readPackageSpecifier(specifier)
      if (read && !isOwn(program, read.name)) found.set(specifier, read)
    }
  }
  return [...found.values()]
}

function mayImport(text: string | Uint8Array): boolean {
  return typeof text !== 'string' || /\b(?:import|from|require)\b/.test(text)
}

/** A `node_modules` among the program's own files comes first. */
function isOwn({ files }: Program, name: string): boolean {
  return Object.hasOwn(files, `node_modules/${name}/package.json`)
}
