import { builtinId } from './child/resolve.ts'

/** What the isolate's own node modules export; the test beside this file holds the lists to them. */
const ownExports: Record<string, ReadonlySet<string>> = {
  'node:fs':
    names(`access accessSync appendFile appendFileSync constants copyFile copyFileSync Dirent existsSync lstat lstatSync mkdir mkdirSync
    mkdtemp mkdtempSync promises readFile readFileSync readdir readdirSync realpath realpathSync rename renameSync rm rmSync rmdir rmdirSync
    stat statSync Stats unlink unlinkSync writeFile writeFileSync`),
  'node:fs/promises':
    names(`access appendFile constants copyFile lstat mkdir mkdtemp readFile readdir realpath rename rm rmdir stat unlink
    writeFile`),
  'node:path': names(
    'basename delimiter dirname extname format isAbsolute join normalize parse posix relative resolve sep toNamespacedPath',
  ),
  'node:buffer': names('Buffer atob btoa constants kMaxLength'),
  'node:url': names('URL URLSearchParams fileURLToPath format parse pathToFileURL resolve urlToHttpOptions'),
  'node:util': names(`TextDecoder TextEncoder callbackify deprecate format inherits inspect isDeepStrictEqual promisify
    stripVTControlCharacters toUSVString types`),
}

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}

// imports stand at the top, and what looks like one further down costs a wrong routing, nothing more
const maxHead = 16 * 1024
const maxText = 512 * 1024
// bounded repeats: a text of a stranger must not be searched twice
const importClause =
  /\bimport\s{1,99}(?:([\w$]{1,99})\s{0,99}(?:,\s{0,99}|(?=from)))?(?:\*\s{0,99}as\s{1,99}([\w$]{1,99})|\{([^{}]{0,2000})\})?\s{0,99}from\s{0,99}['"]([\w:/]{1,99})['"]/g

/** The first function of a Node module that a text names, that Node has and that the isolate's module has not. */
export function findMissingFunction(whole: string): string | undefined {
  /** Modules by the names that stand for all of them. */
  const wholes = new Map<string, string>()
  for (const [, byDefault, asWhole, list = '', specifier = ''] of whole.slice(0, maxHead).matchAll(importClause)) {
    const id = builtinId(specifier)
    if (!id || !ownExports[id]) continue
    for (const local of [byDefault, asWhole]) if (local) wholes.set(local, id)
    for (const item of list.split(',')) {
      const [, name = '', alias = name] = /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(item) ?? []
      if (isMissing(id, name)) return `${id} ${name}`
      if (name === 'default') wholes.set(alias, id)
      if (name === 'promises' && id === 'node:fs') wholes.set(alias, 'node:fs/promises')
    }
  }
  return wholes.size > 0 ? findMissingMember(whole.slice(0, maxText), wholes) : undefined
}

// one search for all names, and one look at each of their members: however often a text of a stranger has them
const member = /(?<![\w$.])([\w$]{1,99})\.([A-Za-z]\w{0,40})/g

function findMissingMember(text: string, wholes: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set<string>()
  for (const [found, local = '', name = ''] of text.matchAll(member)) {
    const id = wholes.get(local)
    if (id === undefined || seen.has(found)) continue
    seen.add(found)
    if (isMissing(id, name)) return `${id} ${name}`
  }
  return undefined
}

function isMissing(id: string, name: string): boolean {
  if (name === '' || name === 'default' || ownExports[id]?.has(name)) return false
  return Object.hasOwn(process.getBuiltinModule(id) as object, name)
}
