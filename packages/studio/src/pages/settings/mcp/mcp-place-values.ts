import type { McpPlace } from '@coherex/contract'
import { joinCommand, splitCommand } from './split-command.ts'

/** A place as the fields of a form hold it. */
export interface McpPlaceValues {
  kind: McpPlace['kind']
  url: string
  auth: 'none' | 'key' | 'oauth'
  secret: string
  header: string
  scope: string
  clientId: string
  clientSecret: string
  command: string
  template: string
  packages: string
  env: string
  allow: string
}

export const emptyPlace: McpPlaceValues = {
  ...{ kind: 'remote', url: '', auth: 'none', secret: '', header: 'Authorization' },
  ...{ scope: '', clientId: '', clientSecret: '', command: '', template: '', packages: '', env: '', allow: '' },
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)

export function toPlace(values: McpPlaceValues): McpPlace {
  const { kind, url, auth, secret, header, command, template, packages, env, allow } = values
  if (kind === 'remote') {
    if (auth === 'key') return { kind, url, auth: { kind: auth, secret, header } }
    return { kind, url, auth: auth === 'oauth' ? toOauth(values) : { kind: auth } }
  }
  const [program = '', ...args] = splitCommand(command) ?? []
  return {
    ...{ kind, command: program, args, language: 'javascript', packages: words(packages) },
    ...(template !== '' && { template }),
    env: Object.fromEntries(words(env).map((line) => readVariable(line))),
    network: { allow: words(allow) },
  }
}

export function toPlaceValues(place: McpPlace): McpPlaceValues {
  const { kind } = place
  if (place.kind === 'remote') {
    const { url, auth } = place
    const { kind: how, ...rest } = auth
    return { ...emptyPlace, kind, url, auth: how, ...rest }
  }
  const { command, args, template = '', packages, language, env, network } = place
  const prefix = (name: string) => (language === 'python' && !/^(npm|pypi):/.test(name) ? `pypi:${name}` : name)
  return {
    ...{ ...emptyPlace, kind, template, command: joinCommand([command, ...args]) },
    packages: packages.map(prefix).join(' '),
    env: Object.entries(env)
      .map(([name, secret]) => (name === secret ? name : `${name}=${secret}`))
      .join('\n'),
    allow: network.allow.join(' '),
  }
}

/** What is wrong with fields that the server could not say. */
export function checkPlace({ kind, command }: McpPlaceValues): { command?: string } {
  if (kind === 'sandboxed' && splitCommand(command) === undefined) return { command: 'A quote is not closed' }
  return {}
}

export function isComplete({ kind, url, auth, secret, command }: McpPlaceValues): boolean {
  return kind === 'remote' ? url !== '' && (auth !== 'key' || secret !== '') : command.trim() !== ''
}

function toOauth({ scope, clientId, clientSecret }: McpPlaceValues) {
  return {
    kind: 'oauth' as const,
    ...(scope !== '' && { scope }),
    ...(clientId !== '' && { clientId }),
    ...(clientId !== '' && clientSecret !== '' && { clientSecret }),
  }
}

/** `NAME=SECRET`, or `NAME` for a secret of the same name. */
function readVariable(line: string): [string, string] {
  const at = line.indexOf('=')
  return at < 0 ? [line, line] : [line.slice(0, at), line.slice(at + 1)]
}
