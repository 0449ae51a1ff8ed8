import type { Program } from '../runtime.ts'
import { isModulePath, resolvePath } from './child/resolve.ts'
import { scanImports, type FoundImports } from './scan-imports.ts'

// this is the server's own thread; what is not found within these is told when its line runs. Imports stand at the top
const mostReadOfOne = 512 * 1024
const mostRead = 2 * 1024 * 1024
const mostImports = 10_000

/** The entry and what it leads to, the nearest first: other programs of the same workspace do not matter. */
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
  let [read, imports, isAllReached] = [0, 0, false]
  for (const { path, text: whole } of waiting) {
    if (read >= mostRead || imports >= mostImports) return
    const text = whole.slice(0, mostReadOfOne)
    const found = scanImports(text)
    read += text.length
    const specifiers = found.specifiers.slice(0, mostImports - imports)
    imports += specifiers.length
    yield { ...found, specifiers, text }
    for (const specifier of specifiers) {
      if (isRelative(specifier)) reach(resolvePath(specifier, path, (one) => Object.hasOwn(files, one)))
    }
    // which file a name that is put together leads to is known only when it runs
    if (isAllReached || !computedImport.test(text)) continue
    isAllReached = true
    for (const one of Object.keys(files)) reach(one)
  }
}

const computedImport = /\bimport\s*\(\s*(?:[^\s'"]|'[^'\n]*'\s*[^\s),]|"[^"\n]*"\s*[^\s),])/

export function isRelative(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier)
}
