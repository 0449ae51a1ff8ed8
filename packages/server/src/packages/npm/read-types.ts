import { opendir, readFile, stat } from 'node:fs/promises'
import { join, posix, relative } from 'node:path'
import type { PackageTypes } from '@coherex/contract'
import { z } from 'zod'

const conditions = z.record(z.string(), z.unknown())
const description = z.object({
  types: z.string().optional(),
  typings: z.string().optional(),
  exports: z.union([z.string(), conditions]).optional(),
})

const isTypes = /\.d\.[cm]?ts$/
const mostFiles = 2_000
const mostBytes = 4_000_000
const longestDescription = 200_000

/** What packages below a `node_modules` tell editors of their types: the files, and the one that answers each import. */
export async function readTypes(modules: string, packages: readonly string[]): Promise<PackageTypes> {
  const found: PackageTypes = { entries: {}, files: [], isPartial: false }
  let bytes = 0
  for (const name of packages) {
    const folder = join(modules, name)
    const paths: string[] = []
    for await (const entry of await opendir(folder, { recursive: true }).catch(() => [])) {
      const path = relative(folder, join(entry.parentPath, entry.name))
      // packages of packages come by their own names, where they stand at the top
      if (entry.isFile() && isTypes.test(path) && !path.includes('node_modules/')) paths.push(path)
    }
    if (paths.length === 0) continue
    for (const path of paths.toSorted()) {
      const room = found.files.length < mostFiles ? mostBytes - bytes : 0
      const text = await readWithin(join(folder, path), room)
      if (text === undefined) return { ...found, isPartial: true }
      bytes += Buffer.byteLength(text)
      found.files.push({ path: `${name}/${path}`, text })
    }
    Object.assign(found.entries, entriesOf(name, await describe(folder), new Set(paths)))
  }
  return found
}

/** Undefined where a file is larger: whoever published it chose its size, which may be that of all packages together. */
async function readWithin(file: string, mostBytesOfIt: number): Promise<string | undefined> {
  const { size } = await stat(file)
  return size > mostBytesOfIt ? undefined : readFile(file, 'utf8')
}

async function describe(folder: string): Promise<z.infer<typeof description>> {
  const text = await readWithin(join(folder, 'package.json'), longestDescription).catch(() => undefined)
  try {
    return description.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** Import → file, for the package itself and for the parts of it that have a name of their own. */
function entriesOf(
  name: string,
  { types, typings, exports }: z.infer<typeof description>,
  paths: ReadonlySet<string>,
): Record<string, string> {
  const place = (target: string | undefined) => {
    if (target === undefined) return undefined
    const path = posix.normalize(target)
    const beside = path.replace(/\.([cm]?)[jt]s$/, '.d.$1ts')
    return [path, beside, `${path}.d.ts`, `${path}/index.d.ts`].find((one) => paths.has(one))
  }
  const parts = typeof exports === 'object' && Object.keys(exports).some((key) => key.startsWith('.')) ? exports : {}
  const main = place(targetOf(parts['.'] ?? exports)) ?? place(types ?? typings) ?? place('index.d.ts')
  const named = Object.entries(parts)
    .filter(([key]) => key.startsWith('./') && !key.includes('*'))
    .flatMap(([key, value]) => {
      const path = place(targetOf(value))
      return path ? [[`${name}/${key.slice(2)}`, `${name}/${path}`]] : []
    })
  return Object.fromEntries([...(main ? [[name, `${name}/${main}`]] : []), ...named])
}

/** The file of an entry of `exports`: types before code. */
function targetOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  const given = depth < 5 ? conditions.safeParse(value).data : undefined
  if (!given) return undefined
  for (const condition of ['types', 'import', 'require', 'default']) {
    const target = targetOf(given[condition], depth + 1)
    if (target !== undefined) return target
  }
  return undefined
}
