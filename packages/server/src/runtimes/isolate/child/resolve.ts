/** Node modules that work inside an isolate. Others need a process. */
const builtins = ['fs', 'fs/promises', 'path', 'buffer', 'url', 'util'] as const

/** The id of a module that the guest library brings, with or without "node:". */
export function builtinId(specifier: string): string | undefined {
  if (specifier === 'coherex') return specifier
  const name = specifier.replace(/^node:/, '')
  const known = name === 'path/posix' ? 'path' : builtins.find((builtin) => builtin === name)
  return known && `node:${known}`
}

const endings = ['', '.ts', '.js', '.mts', '.mjs', '.json', '/index.ts', '/index.js']

export function isModulePath(path: string): boolean {
  return /\.([mc]?[jt]s|json)$/.test(path)
}

/** A relative import within the program, with or without its extension; undefined when there is no such file. */
export function resolvePath(specifier: string, from: string, has: (path: string) => boolean): string | undefined {
  const parts = specifier.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '.' && part !== '..' && part !== '') parts.push(part)
  }
  const path = parts.join('/')
  const found = endings.map((ending) => path + ending).find(has)
  if (found !== undefined) return found
  // TypeScript's habit: the import says .js, the file is .ts
  const source = path.replace(/\.([mc]?)js$/, '.$1ts')
  return has(source) ? source : undefined
}
