import { createClient, createOpener, CoherexError, routes, type Client, type Opener } from '@coherex/contract'
import { WebSocket } from 'ws'
import manifest from '../package.json' with { type: 'json' }
import type { Settings } from './config.ts'
import { readLogin } from './login-file.ts'

export interface Connection {
  url: string
  /** Undefined when nobody has signed in. */
  key: string | undefined
  client: Client
  /** For streams and files, which take their time. */
  open: Opener<Response>
}

const timeoutMs = 30_000

/** A client for a server. Redirects are not followed: the key goes where the person sent it and nowhere else. */
export function connectTo(url: string, key: string | undefined): Connection {
  const server = { baseUrl: url, ...(key ? { key } : {}) }
  const client = createClient({
    ...server,
    fetch: (address, init) => fetch(address, { ...named(init), signal: AbortSignal.timeout(timeoutMs) }),
  })
  const open = createOpener({ ...server, fetch: (address, init) => fetch(address, named(init)) })
  return { url, key, client, open }
}

/** Versions of workspaces say through which door they came. */
function named<Init extends { headers: Record<string, string> }>(init: Init) {
  const headers = { ...init.headers, 'user-agent': `coherex-cli/${manifest.version}` }
  return { ...init, headers, redirect: 'manual' as const }
}

/** A message of MCP. Its answer is left as it comes, refusals included: they are for the client behind us. */
export function postMessage(
  { url, key }: Connection,
  { headers, ...message }: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Response> {
  const signed = { ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) }
  return fetch(new URL(routes.mcp.message.path, url), named({ method: 'POST', headers: signed, ...message }))
}

/** The server of the environment or of the last login; the default address, without a key, when there is neither. */
export async function connect(settings: Settings): Promise<Connection> {
  if (settings.token) return connectTo(parseUrl(settings.url ?? localUrl(settings)), settings.token)
  const login = await readLogin(settings.loginFile)
  // a stored key belongs to the server it was made for
  if (settings.url && parseUrl(settings.url) !== login?.url) return connectTo(parseUrl(settings.url), undefined)
  return login ? connectTo(login.url, login.key) : connectTo(localUrl(settings), undefined)
}

/** Like `connect`, for commands that make no sense without a key. */
export async function connectSignedIn(settings: Settings): Promise<Connection> {
  const connection = await connect(settings)
  if (!connection.key) throw new CoherexError('unauthenticated', 'Not signed in. Run coherex login first')
  return connection
}

/** A WebSocket to the server, signed in like its other requests. */
export function openSocket({ url, key }: Connection, path: string): WebSocket {
  const address = new URL(path, url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(address, {
    ...(key ? { headers: { authorization: `Bearer ${key}` } } : {}),
    followRedirects: false,
  })
}

export const localUrl = ({ port }: Settings): string => `http://127.0.0.1:${port}`

/** The origin of an address that a person typed. */
export function parseUrl(text: string): string {
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new CoherexError('invalid_input', `"${text}" is not the address of a server, such as http://127.0.0.1:4310`)
  }
  return url.origin
}

/** Whether a key sent there could be read on the way. */
export function isUnprotected(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
