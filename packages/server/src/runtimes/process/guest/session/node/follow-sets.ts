import { existsSync, readlinkSync } from 'node:fs'
import { createRequire, isBuiltin, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const link = '/tmp/.coherex/javascript'

/**
 * Has imports look into the packages that the sandbox has now. A program finds them through /node_modules, whose target Node
 * looks up once; a session lives on when they become others.
 */
export function followSets(home: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const [, name, part = ''] = /^(?:npm:)?((?:@[^/@]+\/)?[^./@:][^/@:]*)(?:@[^/]*)?(\/.*)?$/.exec(specifier) ?? []
      if (name === undefined || isBuiltin(specifier) || context.parentURL?.startsWith('file:///opt/sets/'))
        return next(specifier, context)
      const set = currentSet()
      const path = name + part
      const isPinned = specifier.startsWith('npm:')
      // what was installed into the home by other means comes first, as it does for programs
      if (hasPackage(home, name)) return next(isPinned ? path : specifier, context)
      if (set === undefined || !hasPackage(set, name)) {
        if (!isPinned) return next(specifier, context)
        // Node itself would speak of a protocol that it does not know
        throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
      }
      const parent = join(set, 'cell.js')
      if (!context.conditions.includes('require'))
        return next(path, { ...context, parentURL: pathToFileURL(parent).href })
      // the next one would look from where the first was asked
      return { url: pathToFileURL(createRequire(parent).resolve(path)).href, shortCircuit: true }
    },
  })
}

function hasPackage(directory: string, name: string): boolean {
  return existsSync(join(directory, 'node_modules', name))
}

function currentSet(): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}
