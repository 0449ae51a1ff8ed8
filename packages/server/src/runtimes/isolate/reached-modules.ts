import type { Program } from '../runtime.ts'
import { isModulePath, resolvePath } from './child/resolve.ts'
import { scanImports, type FoundImports } from './scan-imports.ts'

/** The entry and what it leads to: other programs of the same workspace do not matter. */
export function* reachedModules({ code, entry, files }: Program): Iterable<FoundImports & { text: string }> {
  const textOf = (path: string) => {
    const content = isModulePath(path) && !path.endsWith('.json') ? files[path] : undefined
    return typeof content === 'string' ? content : undefined
  }
  const seen = new Set([entry])
  const waiting = [{ path: entry, text: code }]
  const reach = (path: string | undefined) => {
    if (path === undefined || seen.has(path)) return
    seen.add(path)
    const text = textOf(path)
    if (text !== undefined) waiting.push({ path, text })
  }
  for (const { path, text } of waiting) {
    const found = scanImports(text)
    yield { ...found, text }
    for (const specifier of found.specifiers) {
      if (isRelative(specifier)) reach(resolvePath(specifier, path, (one) => Object.hasOwn(files, one)))
    }
    // which file a name that is put together leads to is known only when it runs
    if (computedImport.test(text)) for (const one of Object.keys(files)) reach(one)
  }
}

const computedImport = /\bimport\s*\(\s*[^\s'"]/

export function isRelative(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier)
}
