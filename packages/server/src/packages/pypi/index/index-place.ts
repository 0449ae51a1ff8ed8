import { CoherexError } from '@coherex/contract'
import {
  type Egress,
  EgressError,
  type EgressRules,
  type FetchedResponse,
  operatorRules,
  teamRules,
} from '../../../egress/index.ts'
import { hidePassword } from '../hide-password.ts'

/** The one index that a resolution uses, and where it keeps its files. */
export interface IndexPlace {
  /** Of its simple pages, with credentials where it has some, and a slash at its end. */
  url: string
  origin: string
  /** Without credentials: for messages. */
  shown: string
  /** Sent to the origin of the index and to nobody else. */
  headers: [string, string][]
  /** The operator's is reached wherever it is; that of a team on the public internet. */
  isOperators: boolean
}

const limits = { connectMs: 10_000, headersMs: 30_000, totalMs: 120_000, idleMs: 30_000 }
const pageBytes = 300_000
const mostFileOrigins = 4

export function readIndexPlace(text: string, isOperators: boolean): IndexPlace {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CoherexError(
      'invalid_input',
      `Cannot use the package index ${JSON.stringify(hidePassword(text).slice(0, 200))}: it must be an http or https address`,
    )
  }
  const { username, password } = url
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const withSlash = url.href.endsWith('/') ? url.href : `${url.href}/`
  return {
    url: withSlash,
    origin: url.origin,
    shown: hidePassword(withSlash),
    headers: username || password ? [['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`]] : [],
    isOperators,
  }
}

export function rulesOf(place: IndexPlace): EgressRules {
  const allow = [`${place.origin}/`]
  return place.isOperators ? operatorRules({ allow, limits }) : teamRules({ allow, limits })
}

/** What a page of the index tells about a package and about the index. */
export interface IndexPage {
  isKnown: boolean
  /** Origins of its files, other than that of the index. */
  fileOrigins: string[]
  tellsTimes: boolean
}

/** Looks at the beginning of the page of a package. Throws where the index cannot be asked. */
export async function lookAtIndex(
  place: IndexPlace,
  name: string,
  { egress, signal }: { egress: Egress; signal: AbortSignal },
): Promise<IndexPage> {
  const url = new URL(`${encodeURIComponent(name)}/`, withoutCredentials(place.url)).href
  const page = await askIndex(place, { url, maxBytes: pageBytes }, { egress, signal })
  if (page.status === 404 || page.status === 410) return { isKnown: false, fileOrigins: [], tellsTimes: true }
  if (page.status === 401 || page.status === 403) {
    throw new CoherexError(
      'unavailable',
      `The package index ${place.shown} does not answer without other credentials: check COHEREX_PYPI_INDEX`,
    )
  }
  if (page.status !== 200) {
    throw new CoherexError('unavailable', `The package index ${place.shown} answers with status ${page.status}`)
  }
  const text = Buffer.from(page.body).toString('utf8')
  const origins = new Set<string>()
  for (const [, address] of text.matchAll(fileAddress)) {
    const origin = URL.parse(address ?? '')?.origin
    if (origin && origin !== place.origin && origins.size < mostFileOrigins) origins.add(origin)
  }
  const hasFiles = /"filename"|<a\s/.test(text)
  return { isKnown: true, fileOrigins: [...origins], tellsTimes: !hasFiles || /upload-time/.test(text) }
}

const pageTypes = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1'

/** A page of the index; throws where it does not answer. */
export async function askIndex(
  place: IndexPlace,
  { url, maxBytes }: { url: string; maxBytes: number },
  { egress, signal }: { egress: Egress; signal: AbortSignal },
): Promise<FetchedResponse> {
  const headers: [string, string][] = [...place.headers, ['accept', pageTypes]]
  try {
    return await egress.outbound({ rules: rulesOf(place) }).fetch({ url, headers, maxBytes }, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw unreachable(place, error)
  }
}

const fileAddress = /(?:"url"\s*:\s*"|href\s*=\s*["'])(https?:\/\/[^"'\s/]{1,255})/g

export function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

function unreachable(place: IndexPlace, error: unknown): CoherexError {
  const isRefused = error instanceof EgressError && error.isRefusal
  const why = isRefused
    ? 'it leads to a place that may not be reached'
    : 'it cannot be reached or stopped answering; what is kept already still works'
  const setting = place.isOperators ? '. Another index, such as a mirror, is set with COHEREX_PYPI_INDEX' : ''
  return new CoherexError('unavailable', `Cannot ask the package index ${place.shown}: ${why}${setting}`, {
    cause: error,
  })
}
