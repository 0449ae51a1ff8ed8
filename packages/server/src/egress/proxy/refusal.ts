import { EgressError } from '../egress-error.ts'

/** What a client is told instead of an answer. */
export interface Refusal {
  status: number
  /** In the first line, where most clients show it. */
  statusText: string
  message: string
}

export function toRefusal(error: unknown): Refusal {
  // anything else is ours, and its text may name things of the host
  if (!(error instanceof EgressError)) return { status: 502, statusText: 'Bad Gateway', message: 'The request failed' }
  const { code, reason, message } = error
  switch (code) {
    case 'URL_NOT_ALLOWED':
    case 'METHOD_NOT_ALLOWED':
      return { status: 403, statusText: 'Forbidden by the network rules', message }
    case 'LIMIT_EXCEEDED':
      return reason === 'busy'
        ? { status: 429, statusText: 'Too Many Requests', message }
        : { status: 413, statusText: 'Content Too Large', message }
    case 'FETCH_FAILED':
      return reason === 'timeout'
        ? { status: 504, statusText: 'Gateway Timeout', message }
        : { status: 502, statusText: 'Bad Gateway', message }
  }
}

/** The whole answer, for a connection on which no more requests are read. */
export function lastWords({ status, statusText, message }: Refusal): string {
  const body = `${message}\n`
  return [
    `HTTP/1.1 ${status} ${statusText}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
