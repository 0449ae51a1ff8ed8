import { EgressError } from '../egress-error.ts'

/** A place requests may go: an origin and the path they must be under. */
export interface UrlPrefix {
  protocol: 'http:' | 'https:'
  /** As the WHATWG parser spells it: lower case, punycode, IPv4 in four decimals, IPv6 in brackets. */
  hostname: string
  port: number
  path: string
}

const written = /^(https?):\/\/([^/?#]+)/i
// The parser drops tabs and line ends and turns backslashes round; a second reader might not, so neither is let in.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const ambiguous = /[\u0000-\u0020\u007f\\]/

/** Parses once, with the parser that also connects, and refuses what two parsers could read in two ways. */
export function parseUrl(text: string, base?: URL): URL {
  const safe = hideCredentials(text)
  const shown = safe.length > 200 ? `${safe.slice(0, 200)}…` : safe
  const refuse = (why: string) =>
    new EgressError('URL_NOT_ALLOWED', 'bad-url', `Cannot fetch ${JSON.stringify(shown)}: ${why}`)
  if (text.length > 8192) throw refuse('the URL is longer than 8,192 characters')
  if (ambiguous.test(text)) throw refuse('it has spaces, control characters or backslashes')
  if (!base || /^[a-z][a-z0-9+.-]*:/i.test(text)) {
    const match = written.exec(text)
    if (!match) throw refuse('only http:// and https:// URLs are fetched')
    if (match[2]?.includes('@')) throw refuse('credentials in a URL are not allowed')
  } else if (text.startsWith('//') && /^[^/?#]*@/.test(text.slice(2))) {
    throw refuse('credentials in a URL are not allowed')
  }
  if (!URL.canParse(text, base)) throw refuse('it is not a valid URL')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse('only http:// and https:// URLs are fetched')
  }
  if (url.username || url.password) throw refuse('credentials in a URL are not allowed')
  url.hash = ''
  return url
}

/** A URL as logs and messages may show it, also one that was refused. */
export function hideCredentials(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2})[^/?#\\]*@/i, '$1…@')
}

/** A rule as people write it: `https://api.github.com/repos/`. Without a path, all of the origin. */
export function parseUrlPrefix(text: string): UrlPrefix {
  const url = parseUrl(text)
  const refuse = (why: string) =>
    new EgressError('URL_NOT_ALLOWED', 'bad-url', `Cannot allow ${JSON.stringify(text)}: ${why}`)
  if (url.hostname.includes('*')) throw refuse('a host name has no wildcards')
  if (text.includes('?') || text.includes('#')) throw refuse('a prefix has no query and no fragment')
  if (isAmbiguousPath(url.pathname)) throw refuse('its path hides dots behind an encoding')
  return {
    protocol: url.protocol === 'https:' ? 'https:' : 'http:',
    hostname: url.hostname,
    port: portOf(url),
    path: url.pathname,
  }
}

export function isUnder(url: URL, prefix: UrlPrefix): boolean {
  if (url.protocol !== prefix.protocol || url.hostname !== prefix.hostname || portOf(url) !== prefix.port) return false
  if (prefix.path === '/') return true
  const path = url.pathname
  const below = prefix.path.endsWith('/') ? prefix.path : `${prefix.path}/`
  if (path !== prefix.path && !path.startsWith(below)) return false
  return !isAmbiguousPath(path)
}

export function showUrlPrefix({ protocol, hostname, port, path }: UrlPrefix): string {
  return new URL(`${protocol}//${hostname}:${port}${path}`).href
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

// A server that decodes once more than we do would see other segments: none of the readings may go up.
function isAmbiguousPath(path: string): boolean {
  let reading = path
  for (let depth = 0; depth < 5; depth++) {
    // a server in C would stop reading at a NUL
    if (ambiguous.test(reading.replaceAll(' ', ''))) return true
    if (reading.split(/[/\\]/).some((segment) => /^\.{1,2}$/.test(segment.split(';')[0] ?? ''))) return true
    // not of the standard, and read by some servers all the same
    if (/%u[0-9a-f]{4}/i.test(reading)) return true
    let next: string
    try {
      // once decoded, a percent sign may stand for itself: 100%25 is "100%"
      next = decodeURIComponent(depth === 0 ? reading : reading.replace(/%(?![0-9a-f]{2})/gi, '%25'))
    } catch {
      return true
    }
    if (next === reading) return false
    reading = next
  }
  return true
}
