import { EgressError } from '../egress-error.ts'

export type HeaderList = [name: string, value: string][]

// What frames the message, names the host or speaks to a proxy belongs to the guard. As in browsers, dropped in silence.
const ours = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])

// Another origin gets only what says how to answer; anything else may be a key under a name of its own.
const sharedAcrossOrigins = new Set([
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'range',
  'user-agent',
])

const maxHeaderBytes = 32_768

export function cleanRequestHeaders(headers: HeaderList): HeaderList {
  let bytes = 0
  const kept: HeaderList = []
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    bytes += name.length + value.length + 4
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower))
      throw badHeader(`${JSON.stringify(name.slice(0, 60))} is not a header name`)
    // oxlint-disable-next-line no-control-regex -- a tab is a control character that a header may have
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
      throw badHeader(`the value of "${lower}" has characters that no header may have`)
    if (ours.has(lower) || lower.startsWith('proxy-') || lower.startsWith('sec-')) continue
    kept.push([lower, value.trim()])
  }
  if (bytes > maxHeaderBytes) throw badHeader(`they are larger than ${maxHeaderBytes} bytes`)
  return kept
}

export function headersForRedirect(
  headers: HeaderList,
  { sameOrigin, dropsBody }: { sameOrigin: boolean; dropsBody: boolean },
): HeaderList {
  return headers.filter(([name]) => {
    if (dropsBody && name.startsWith('content-')) return false
    return sameOrigin || sharedAcrossOrigins.has(name)
  })
}

function badHeader(why: string): EgressError {
  return new EgressError('FETCH_FAILED', 'bad-url', `Cannot send the request's headers: ${why}`)
}
