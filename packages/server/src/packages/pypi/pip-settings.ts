import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'smol-toml'

export interface PipSettings {
  /** Undefined for the one that uv uses by itself. */
  index: string | undefined
  /** Why no index is to be asked. */
  offline: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Which index has Python packages, as uv and pip are configured on this machine: their environment first, then their files. */
export function readPipSettings(environment: Environment, index?: string): PipSettings {
  const { UV_OFFLINE, PIP_NO_INDEX, UV_DEFAULT_INDEX, UV_INDEX_URL, PIP_INDEX_URL } = environment
  const setting = isOn(UV_OFFLINE) ? 'UV_OFFLINE' : isOn(PIP_NO_INDEX) ? 'PIP_NO_INDEX' : undefined
  const offline = setting && `no package index is asked here, as ${setting} says`
  return {
    index: index ?? (UV_DEFAULT_INDEX || UV_INDEX_URL || PIP_INDEX_URL || readIndex(environment)),
    // what the operator names for us counts
    offline: index === undefined ? offline : undefined,
  }
}

function readIndex({ PIP_CONFIG_FILE, UV_CONFIG_FILE, XDG_CONFIG_HOME }: Environment): string | undefined {
  const settings = XDG_CONFIG_HOME ?? join(homedir(), '.config')
  const uvFiles = UV_CONFIG_FILE ? [UV_CONFIG_FILE] : [join(settings, 'uv/uv.toml'), '/etc/uv/uv.toml']
  const pipFiles = [
    ...(PIP_CONFIG_FILE ? [PIP_CONFIG_FILE] : []),
    ...[join(settings, 'pip/pip.conf'), join(homedir(), '.pip/pip.conf'), '/etc/pip.conf'],
  ]
  return firstIndex(uvFiles, parseUvIndex) ?? firstIndex(pipFiles, parseIndex)
}

function firstIndex(files: readonly string[], parseFile: (text: string) => string | undefined): string | undefined {
  for (const file of files) {
    const index = parseFile(readText(file))
    if (index !== undefined) return index
  }
  return undefined
}

/** The default one of uv.toml: `[[index]]` with `default = true`, or the older `index-url`. */
export function parseUvIndex(text: string): string | undefined {
  let settings: Record<string, unknown>
  try {
    settings = parse(text)
  } catch {
    return undefined // uv itself says so to whoever uses it
  }
  const listed = Array.isArray(settings['index']) ? (settings['index'] as { url?: unknown; default?: unknown }[]) : []
  const found = listed.find((one) => one.default === true)?.url ?? settings['index-url']
  return typeof found === 'string' ? found : undefined
}

/** `index-url` of the section that all commands have. */
export function parseIndex(text: string): string | undefined {
  let section = ''
  for (const line of text.split('\n')) {
    section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1] ?? section
    const [, url] = /^\s*index[-_]url\s*[=:]\s*(\S+)\s*$/.exec(line) ?? []
    if (section === 'global' && url !== undefined) return url
  }
  return undefined
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(|0|false|no|off)$/i.test(value)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // most machines have none
  }
}
