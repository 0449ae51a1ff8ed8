import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { CoherexError, type PythonStack } from '@coherex/contract'
import { unreachable } from '../../launch/index.ts'
import { project } from '../../make-once.ts'
import { boundToSystemNumpy } from './numpy-bound.ts'

/** The Python that runs programs here, and the packages it has before anybody asks for one. */
export interface BasePython {
  /** At the same path inside. */
  python: string
  /** Such as 3.11. */
  version: string
  stack: PythonStack
  /** Packages of the project's lock, which come before those that the interpreter has; shown as `baseInside`. */
  site: string | undefined
  /** Versions by name of what the stack has. */
  packages: Readonly<Record<string, string>>
  /** What guests must be shown of an interpreter that is not the system's. */
  binds: readonly { host: string; guest: string }[]
  /** Its own packages, where guests are shown `sitecustomize.py` instead and find these at `ownInside`. */
  ownSite: string | undefined
  /** Of the system's packages, what does not work beside those of `site`. */
  hidden: readonly string[]
}

export const systemPython = '/usr/bin/python3'
/** Where guests find the packages of the base stack, and those that another interpreter than the system's has; sitecustomize.py knows both. */
export const baseInside = '/opt/base'
export const ownInside = '/opt/python'

const lock = join(project, 'packages/server/python/base.lock')
const kept = join(project, 'node_modules/.cache/python')
const systemPackages = '/usr/lib/python3/dist-packages'
const run = promisify(execFile)

/** What `npm start` has installed for an interpreter, or else what its system has. */
export async function findBasePython(python: string = systemPython): Promise<BasePython> {
  if (!existsSync(python)) {
    if (python !== systemPython) throw cannotUse(python, 'it does not exist')
    return {
      python,
      version: '',
      stack: 'debian',
      site: undefined,
      packages: {},
      binds: [],
      ownSite: undefined,
      hidden: [],
    }
  }
  const asSystem = systemVersion(python)
  const own = asSystem ? undefined : await askPython(python)
  const version = asSystem ?? own?.version ?? ''
  const site = findStack(version)
  const stack = site ? 'pypi' : own ? 'own' : 'debian'
  const hidden = site && !own ? boundToSystemNumpy() : []
  const packages = packagesIn(site ?? own?.site ?? systemPackages)
  return { python, version, stack, site, packages, binds: own?.binds ?? [], ownSite: own?.site, hidden }
}

/** The uv that `npm start` has installed; undefined where no index could be reached. */
export function findUv(): string | undefined {
  const version = /^uv==(\S+)/m.exec(readFileSync(join(dirname(lock), 'uv.lock'), 'utf8'))?.[1]
  const path = join(kept, `uv-${version}/bin/uv`)
  return existsSync(path) ? path : undefined
}

/** The version of a Python of the system that takes its settings from /etc, as Debian's do; undefined for any other. */
function systemVersion(python: string): string | undefined {
  if (dirname(python) !== dirname(systemPython)) return undefined
  const version = /^\/usr\/bin\/python(3\.\d+)$/.exec(realpathSync(python))?.[1]
  try {
    const settings = readlinkSync(`/usr/lib/python${version}/sitecustomize.py`)
    return settings === `/etc/python${version}/sitecustomize.py` ? version : undefined
  } catch {
    return undefined
  }
}

async function askPython(python: string) {
  const question = `import json, sys, sysconfig
print(json.dumps([sys.version_info[:2], [sys.prefix, sys.base_prefix], sysconfig.get_path("purelib")]))`
  try {
    const { stdout } = await run(python, ['-I', '-c', question], { env: {}, timeout: 10_000 })
    const [version, prefixes, site] = JSON.parse(stdout) as [number[], string[], string]
    const shown = [...new Set([...prefixes, ...prefixes.map((path) => realpathSync(path)), dirname(dirname(python))])]
    const outside = shown.filter((path) => !/^\/usr(\/|$)/.test(path))
    const covered = outside.find((path) => /^\/(tmp|var\/tmp|dev|proc|run|etc)(\/|$)/.test(path))
    if (covered) throw new Error(`a sandbox has its own files at "${covered}": move it, to /opt for example`)
    const closed =
      process.getuid?.() === 0 ? outside.map(unreachable).find((reason) => reason !== undefined) : undefined
    if (closed) throw new Error(closed)
    return { version: version.join('.'), binds: outside.map((path) => ({ host: path, guest: path })), site }
  } catch (error) {
    throw cannotUse(python, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

const cannotUse = (python: string, reason: string) =>
  new CoherexError('unavailable', `Cannot use "${python}", which COHEREX_PYTHON names: ${reason}`)

/** The folder of packages that was installed of this lock for such a Python. */
function findStack(version: string): string | undefined {
  if (!existsSync(kept)) return undefined
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex')
  return readdirSync(kept)
    .filter((name) => /^base-[0-9a-f]+$/.test(name) && existsSync(join(kept, name, 'stack.json')))
    .map((name) => join(kept, name))
    .find((folder) => {
      const made = JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8')) as Record<string, unknown>
      return made['lock'] === wanted && made['python'] === version && made['machine'] === process.arch
    })
    ?.concat('/site')
}

/** Versions by name, as folders of packages are named. */
/** Versions by name of what is installed in a folder. */
export function packagesIn(site: string): Record<string, string> {
  const names = existsSync(site) ? readdirSync(site).toSorted() : []
  const found = names.map((name) => /^(.+?)-([^-]+)(?:-py\d[\d.]*)?\.(?:dist|egg)-info$/.exec(name))
  return Object.fromEntries(
    found.flatMap((one) => (one?.[1] && one[2] ? [[one[1].toLowerCase().replaceAll(/[-_.]+/g, '-'), one[2]]] : [])),
  )
}
