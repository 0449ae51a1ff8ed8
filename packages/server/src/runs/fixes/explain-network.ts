import type { Fix } from '@coherex/contract'
import type { Explanation, Failure } from './explain-error.ts'
import { printedLast } from './explain-missing.ts'

const mostHosts = 3
// how clients of many languages say that they could not look up a name or leave the sandbox
const noNetwork =
  /name resolution|NameResolutionError|Failed to resolve|Name or service not known|Could not resolve host|resolve host address|EAI_AGAIN|ENOTFOUND|ENETUNREACH|Network is unreachable|has no network|cannot open URL|dial tcp|Failed to open TCP connection/i

/** A place that the code asked for and may not reach. */
export function explainNetwork(failure: Failure): Explanation | undefined {
  const { error, allow, requests } = failure
  if (error.kind !== 'runtime' && error.kind !== 'denied') return undefined
  const refused = requests.filter(({ error: code }) => code === 'URL_NOT_ALLOWED').map(({ url }) => url)
  if (refused.length > 0) return explain(failure, refused)
  if (allow !== undefined) return undefined
  const text = `${error.message}\n${error.stack ?? ''}\n${printedLast(failure.output)}`
  return noNetwork.test(text) ? explain(failure, findUrls(text)) : undefined
}

function explain({ allow, allowable, place }: Failure, urls: readonly string[]): Explanation {
  const hosts = new Map<string, string | undefined>()
  for (const url of urls) {
    const host = hostOf(url)
    if (host !== undefined && !hosts.has(host)) hosts.set(host, allowable(url))
    if (hosts.size === mostHosts) break
  }
  const names = [...hosts.keys()]
  const asked = names.length > 0 ? `: it asked for ${joinWords(names)}` : ''
  const summary =
    allow === undefined
      ? `This ${place} has no network${asked}`
      : `This ${place} may not reach ${joinWords(names) || 'what it asked for'}`
  const isInside = hosts.size > 0 && [...hosts.values()].every((prefix) => prefix === undefined)
  const fixes = [...hosts].flatMap(([host, value]): Fix[] =>
    value === undefined || allow?.includes(value)
      ? []
      : [
          {
            kind: 'allow-host',
            value,
            label: `Allow ${host}${place === 'sandbox' ? ' in this sandbox' : ''} and run again`,
          },
        ],
  )
  return { summary: isInside ? `${summary}, which is not on the public internet` : summary, fixes }
}

const name = String.raw`[^\s'"’‘:;,/()\[\]<>\\]{1,253}`
const patterns = [
  // urllib3 and requests
  new RegExp(String.raw`HTTP(?<secure>S?)ConnectionPool\(host='(?<host>${name})', port=(?<port>\d{1,5})`, 'g'),
  // our drivers, where the language does not say it
  new RegExp(String.raw`\(it asked for (?<host>${name}):(?<port>\d{1,5})\)`, 'g'),
  // Node
  new RegExp(String.raw`getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (?<host>${name})(?::(?<port>\d{1,5}))?`, 'g'),
  new RegExp(String.raw`connect ENETUNREACH (?<host>${name}):(?<port>\d{1,5})`, 'g'),
  // curl, git and wget
  new RegExp(String.raw`Could not resolve host: (?<host>${name})`, 'gi'),
  new RegExp(String.raw`resolve host address [‘'"](?<host>${name})`, 'gi'),
  // Go and Ruby
  new RegExp(String.raw`dial tcp: lookup (?<host>${name})`, 'g'),
  new RegExp(String.raw`Failed to open TCP connection to (?<host>${name}):(?<port>\d{1,5})`, 'g'),
  // isolates and R
  /(?:Cannot fetch|cannot open URL) ['"](?<url>https?:\/\/[^\s'"]{1,2000})['"]/g,
]

/** The URLs, or at least the origins, that a text of a guest speaks of. */
function findUrls(text: string): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].slice(0, mostHosts).map(({ groups = {} }) => {
      const { url, host = '', port, secure } = groups
      if (url !== undefined) return url
      const isPlain = port === '80' || secure === ''
      return `${isPlain ? 'http' : 'https'}://${host}${port && port !== '80' && port !== '443' ? `:${port}` : ''}/`
    }),
  )
}

/** A host as the parser spells it, which has no control characters and no letters that look like others: those are punycode. */
function hostOf(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).host : ''
  return /^[a-z0-9.:[\]-]{1,100}$/.test(host) ? host : undefined
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
