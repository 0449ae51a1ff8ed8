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
      const name = /^(?:npm:)?((?:@[^/@]+\/)?[^./@:][^/@:]*)(?:@[^/]*)?(\/.*)?$/.exec(specifier)
      const set = name && !isBuiltin(specifier) && currentSet()
      if (!set || !name[1] || context.parentURL?.startsWith('file:///opt/sets/')) return next(specifier, context)
      // what was installed into the home by other means comes first, as it does for programs
      if (existsSync(join(home, 'node_modules', name[1])) || !existsSync(join(set, 'node_modules', name[1])))
        return next(specifier, context)
      const path = name[1] + (name[2] ?? '')
      const parent = join(set, 'cell.js')
      if (!context.conditions.includes('require'))
        return next(path, { ...context, parentURL: pathToFileURL(parent).href })
      // the next one would look from where the first was asked
      return { url: pathToFileURL(createRequire(parent).resolve(path)).href, shortCircuit: true }
    },
  })
}

function currentSet(): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}
