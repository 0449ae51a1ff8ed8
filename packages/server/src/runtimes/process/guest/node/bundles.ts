import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'

const evaluated = Symbol.for('coherex.bundles')

/** The packages that the host shows a program, as modules: a bundle is a function that makes the exports. */
export function createBundles(paths: Record<string, string>) {
  const byUrl = new Map(Object.values(paths).map((path) => [pathToFileURL(path).href, path]))
  const exportsByUrl: Record<string, Record<string, unknown>> = {}
  if (byUrl.size > 0) Object.defineProperty(globalThis, evaluated, { value: exportsByUrl })
  return {
    urlOf: (specifier: string) => (Object.hasOwn(paths, specifier) ? pathToFileURL(paths[specifier]!).href : undefined),
    /** The text of a module that exports what the bundle makes. */
    sourceOf(url: string): string | undefined {
      const path = byUrl.get(url)
      if (path === undefined) return undefined
      const make = runInThisContext(readFileSync(path, 'utf8'), { filename: path }) as () => Record<string, unknown>
      const exports = (exportsByUrl[url] = make())
      const names = Object.keys(exports).map((name) => JSON.stringify(name))
      // the name by which require() finds what it is to give instead of the module
      const whole = isOneValue(exports) ? [['all.default', '"module.exports"'] as const] : []
      const parts = [...names.map((name) => [`all[${name}]`, name] as const), ...whole]
      return [
        `const all = globalThis[Symbol.for("coherex.bundles")][${JSON.stringify(url)}]`,
        ...parts.map(([value], at) => `const part${at} = ${value}`),
        `export { ${parts.map(([, name], at) => `part${at} as ${name}`).join(', ')} }`,
      ].join('\n')
    },
  }
}

/** A package written as CommonJS: what else it exports are parts of that value. */
function isOneValue({ default: value, ...parts }: Record<string, unknown>): boolean {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false
  return Object.keys(parts).every((name) => Reflect.get(value, name) === parts[name])
}

export type Bundles = ReturnType<typeof createBundles>
