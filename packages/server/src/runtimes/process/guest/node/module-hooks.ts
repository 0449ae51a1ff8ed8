import { readFileSync, statSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { resolvePath } from '../../../isolate/child/resolve.ts'
import { readSpecifier } from '../../../packages/package-specifier.ts'
import type { StartProgram } from '../../../protocol/messages.ts'
import type { Bundles } from './bundles.ts'
import { stripTypes, withMap } from './strip-types.ts'

interface Found {
  home: string
  /** Where the module of that name is. */
  coherex: string
  entry?: Entry
  bundles?: Bundles
  set?: StartProgram['set']
}

/** How a program's modules are found and read: as in the isolate, so that one that needs a process can move here as it is. */
export function hookModules({ home, coherex, entry, bundles, set }: Found): void {
  const modules = new Set(set?.language === 'javascript' ? set.modules : [])
  // packages find each other as Node does it; only what the program itself imports has to be led to them
  const fromSet = pathToFileURL(`${set?.path}/program.js`)
  const isFile = (path: string) => statSync(join(home, path), { throwIfNoEntry: false })?.isFile() ?? false
  const findFile = (specifier: string, parent: string | undefined) => {
    if (!/^\.{1,2}\//.test(specifier) || !parent?.startsWith('file:')) return undefined
    const from = relative(home, fileURLToPath(parent))
    const found = from.startsWith('..') ? undefined : resolvePath(specifier, from, isFile)
    return found === undefined ? undefined : pathToFileURL(join(home, found)).href
  }

  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'coherex') return { url: coherex, shortCircuit: true }
      const found = resolveOrFind(specifier, context, next)
      const isJson = found.url.endsWith('.json') && found.url.startsWith('file:')
      return isJson ? { ...found, importAttributes: { ...context.importAttributes, type: 'json' } } : found
    },
    load(url, context, next) {
      if (url === entry?.url)
        return { format: entry.isCommonJs ? 'commonjs' : 'module', source: entry.code, shortCircuit: true }
      const bundle = bundles?.sourceOf(url)
      if (bundle !== undefined) return { format: 'module', source: bundle, shortCircuit: true }
      try {
        const loaded = next(url, context)
        // where its format is told beforehand, Node meets what is more than types only when it compiles the text
        if (!loaded.format?.endsWith('-typescript')) return loaded
        return stripFile(url, loaded.format.startsWith('commonjs')) ?? loaded
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error
        const found = stripFile(url, url.endsWith('.cts'))
        if (!found) throw error
        return found
      }
    },
  })

  type Resolve = NonNullable<Parameters<typeof registerHooks>[0]['resolve']>
  function resolveOrFind(...[specifier, context, next]: Parameters<Resolve>): ReturnType<Resolve> {
    const asked = readSpecifier(specifier)
    const plain = asked && specifier.startsWith('npm:') ? asked.name + asked.subpath : specifier
    try {
      return next(plain, context)
    } catch (error) {
      // after what the program brought itself
      if (asked && modules.has(asked.name)) return findInSet(plain, context, next)
      const bundle = bundles?.urlOf(specifier)
      if (bundle !== undefined) return { url: bundle, format: 'module', shortCircuit: true }
      const found = findFile(specifier, context.parentURL)
      if (found === undefined) throw error
      return next(found, context)
    }
  }

  function findInSet(...[specifier, context, next]: Parameters<Resolve>): ReturnType<Resolve> {
    if (!context.conditions.includes('require')) return next(specifier, { ...context, parentURL: fromSet.href })
    // the next one would look from where the first was asked
    return { url: pathToFileURL(createRequire(fromSet).resolve(specifier)).href, shortCircuit: true }
  }
}

/** A file with what is more than types, written anew; undefined where Node can read it by itself. */
function stripFile(url: string, isCommonJs: boolean) {
  const stripped = stripTypes(readFileSync(fileURLToPath(url), 'utf8'), url)
  if (!stripped.map) return undefined
  return { format: isCommonJs ? 'commonjs' : 'module', source: withMap(stripped), shortCircuit: true } as const
}

interface Entry {
  url: string
  code: string
  isCommonJs: boolean
}
