import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
}

export interface OtlpReceiver {
  url: string
  spans(): Span[]
  /** Everything that was sent, as it came. */
  everything(): string
  stop(): Promise<void>
}

/** An OpenTelemetry collector on loopback that keeps what it is sent. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received: string[] = []
  const server = createServer((request, response) => {
    const gzip = request.headers['content-encoding'] === 'gzip'
    const body = buffer(request).then((bytes) => (gzip ? gunzipSync(bytes) : bytes).toString())
    void body.then((content) => {
      if (request.url === '/v1/traces') received.push(content)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      received.flatMap((content) =>
        (JSON.parse(content) as Export).resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)),
      ),
    everything: () => received.join('\n'),
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}
