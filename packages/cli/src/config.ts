import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** What the environment says. Only this file reads it. */
export interface Settings {
  /** Where `login` keeps the address and the key. */
  loginFile: string
  /** Both together replace the stored login, for scripts and containers. */
  url: string | undefined
  token: string | undefined
  /** The project folder of a server on this machine. */
  home: string | undefined
  directory: string
  port: number
  dataDirectory: string | undefined
  color: boolean
  /** What a program started by us inherits. */
  environment: Record<string, string | undefined>
}

const defaultPort = 4310

export function readSettings(directory = process.cwd()): Settings {
  const env = process.env
  const configHome = env['XDG_CONFIG_HOME']?.startsWith('/') ? env['XDG_CONFIG_HOME'] : join(homedir(), '.config')
  return {
    loginFile: join(configHome, 'coherex', 'config.json'),
    url: env['COHEREX_URL'] || undefined,
    token: env['COHEREX_TOKEN'] || undefined,
    home: env['COHEREX_HOME'] ? resolve(directory, env['COHEREX_HOME']) : undefined,
    directory,
    port: Number(env['PORT']) || defaultPort,
    dataDirectory: env['COHEREX_DATA_DIR'] || undefined,
    color: process.stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    environment: env,
  }
}
