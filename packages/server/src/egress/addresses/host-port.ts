import { isIP } from 'node:net'
import { canonicalAddress } from './address.ts'
import { portOf } from './url-prefix.ts'

/** A door on the network: a name or an address, and a port. */
export interface HostPort {
  host: string
  port: number
}

/** Reads `host:port` and `[v6]:port`, as in COHEREX_ALLOW_PRIVATE. Undefined when it is neither. */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/@?#\\[\]]+):(\d{1,5})$/i.exec(text.trim())
  const port = Number(match?.[2])
  if (!match?.[1] || port < 1 || port > 65_535 || !URL.canParse(`http://${match[1]}`)) return undefined
  return { host: hostOf(new URL(`http://${match[1]}`).hostname), port }
}

/** A URL's host name as sockets and lists know it: no brackets, one spelling per address. */
export function hostOf(hostname: string): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? bare : canonicalAddress(bare)
}

/** The door that an origin such as `https://mirror.test:8443` stands for. */
export function doorOf(origin: string): HostPort {
  const url = new URL(origin)
  return { host: hostOf(url.hostname), port: portOf(url) }
}
