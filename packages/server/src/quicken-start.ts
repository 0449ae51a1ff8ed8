import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Called by a program before it loads anything else: its second start then parses and compiles nothing again. */
export function quickenStart(): void {
  // kept beside the code, with its owner: Node's own place for it is below /tmp, where whoever comes first could leave us
  // what to run
  enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
  resolveDrizzleOnce()
}

type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>

/**
 * Node parses a whole package.json again for each module that it resolves through it. That of drizzle-orm has 180 KB, and
 * there are more than two hundred such modules: it was a third of the start.
 */
export function resolveDrizzleOnce(): void {
  const known = new Map<string, ReturnType<Resolve>>()
  registerHooks({
    resolve(specifier, context, next) {
      if (!context.conditions.includes('import')) return next(specifier, context)
      const isInside = context.parentURL?.includes('/node_modules/drizzle-orm/') ?? false
      // all of them are modules, and none has a package.json of its own
      if (isInside && /^\..*\.js$/.test(specifier))
        return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
      const found = known.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
      known.set(specifier, found)
      return found
    },
  })
}
