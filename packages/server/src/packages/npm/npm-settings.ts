import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import defaults from 'npm-registry-fetch/lib/default-opts.js'

/** Which registry has which packages, as npm itself would be configured on this machine. */
export interface NpmSettings {
  registry: string
  /** Registries of scopes, such as `@team`. */
  scopes: ReadonlyMap<string, string>
  /** What places want to see in `authorization`, by the start of their addresses. */
  credentials: ReadonlyMap<string, string>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads npm's own configuration: its environment first, then the files of the user and of the machine. */
export function readNpmSettings(environment: Environment, registry?: string): NpmSettings {
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(environment)) {
    const [, key] = /^npm_config_(.+)$/i.exec(name) ?? []
    if (key !== undefined && value) given.set(normalize(key), value)
  }
  const files = [
    given.get('userconfig') ?? join(homedir(), '.npmrc'),
    given.get('globalconfig') ?? join(given.get('prefix') ?? dirname(dirname(process.execPath)), 'etc/npmrc'),
  ]
  const values = new Map(files.toReversed().flatMap((file) => [...parseNpmrc(readText(file), environment)]))
  for (const [key, value] of given) values.set(key, value)
  if (registry !== undefined) values.set('registry', registry)
  return toSettings(values)
}

/** Keys and values of an .npmrc, with `${NAME}` of the environment put in. */
function parseNpmrc(text: string, environment: Environment): Map<string, string> {
  const values = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^\s*([^;#=[\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key === undefined) continue
    const plain = value.replace(/^(["'])(.*)\1$/, '$2')
    values.set(
      normalize(key),
      plain.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => environment[name] ?? whole),
    )
  }
  return values
}

function toSettings(values: ReadonlyMap<string, string>): NpmSettings {
  const scopes = new Map<string, string>()
  const credentials = new Map<string, string>()
  for (const [key, value] of values) {
    const [, scope] = /^(@[^:/]+):registry$/.exec(key) ?? []
    if (scope !== undefined) scopes.set(scope, withSlash(value))
    const [, place, kind] = /^(\/\/.+?):(_authToken|_auth|username)$/.exec(key) ?? []
    if (place === undefined) continue
    const password = values.get(`${place}:_password`)
    if (kind === '_authToken') credentials.set(withSlash(place), `Bearer ${value}`)
    else if (kind === '_auth') credentials.set(withSlash(place), `Basic ${value}`)
    else if (password !== undefined) {
      const plain = `${value}:${Buffer.from(password, 'base64').toString('utf8')}`
      credentials.set(withSlash(place), `Basic ${Buffer.from(plain).toString('base64')}`)
    }
  }
  return { registry: withSlash(values.get('registry') ?? defaults.registry), scopes, credentials }
}

/** What a place is shown, where npm would show it: the longest start of its address that has credentials. */
export function credentialsFor(url: URL, { credentials }: NpmSettings): [string, string][] {
  const segments = url.pathname.split('/')
  for (let length = segments.length; length > 0; length--) {
    const known = credentials.get(withSlash(`//${url.host}${segments.slice(0, length).join('/')}`))
    if (known !== undefined) return [['authorization', known]]
  }
  return []
}

export function registryOf(name: string, { registry, scopes }: NpmSettings): string {
  return scopes.get(name.split('/')[0] ?? '') ?? registry
}

/** A mirror has the archives too, though some repeat the addresses of npm's own registry. */
export function archiveUrl(url: string, name: string, settings: NpmSettings): string {
  const own = URL.parse(defaults.registry)
  const named = URL.parse(url)
  const registry = registryOf(name, settings)
  if (!own || !named || named.origin !== own.origin || registry.startsWith(`${own.origin}/`)) return url
  return `${registry}${named.pathname.slice(1)}`
}

export function originsOf({ registry, scopes }: NpmSettings): string[] {
  return [...new Set([registry, ...scopes.values()].flatMap((url) => URL.parse(url)?.origin ?? []))]
}

function normalize(key: string): string {
  return key.startsWith('//') || key.startsWith('@') ? key : key.toLowerCase().replaceAll('_', '-')
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // most machines have none
  }
}
