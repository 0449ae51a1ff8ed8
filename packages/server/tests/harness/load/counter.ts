import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A place outside of the product that counts what reaches it. */
export interface Counter {
  url: string
  hostPort: string
  hits: string[]
  /** The same with how they came and what they brought. */
  received: { method: string; path: string; body: string }[]
  /** Of the paths that begin so, in the order they came. */
  of(prefix: string): string[]
  /** Called when a request to this path has come for the first time, before it is answered; false is no answer at all. */
  onHit(path: string, act: () => Promise<boolean> | boolean): void
  /** A path to wait at: whoever asks there hears `open` when it is, or `closed` after a while, to ask again. */
  gate(path: string): Gate
  stop(): void
}

interface Gate {
  /** Somebody asks there. */
  arrived: Promise<void>
  open(): void
}

// well below the time that a request of the product may take
const gateMs = 5_000

export async function startCounter(): Promise<Counter> {
  const hits: string[] = []
  const received: Counter['received'] = []
  const acts = new Map<string, () => Promise<boolean> | boolean>()
  const gates = new Map<string, (asked: ServerResponse) => void>()
  const http: Server = createServer((request, response) => {
    const path = request.url ?? ''
    hits.push(path)
    const one = { method: request.method ?? '', path, body: '' }
    received.push(one)
    request.setEncoding('utf8').on('data', (piece: string) => (one.body += piece))
    const whole = new Promise((resolve) => request.once('end', resolve))
    const act = acts.get(path) ?? (() => true)
    acts.delete(path)
    response.writeHead(200, { 'content-type': 'text/plain' })
    const gate = gates.get(path)
    if (gate) return gate(response)
    // whoever is kept waiting hears that an answer is on its way
    const sign = setInterval(() => response.write(' '), 1_000)
    response.on('close', () => clearInterval(sign))
    // whoever has the answer finds all of what was brought
    return void Promise.all([act(), whole]).then(([isAnswered]) => {
      if (isAnswered) response.end(`counted ${path}`)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.2', resolve))
  const hostPort = `127.0.0.2:${(http.address() as AddressInfo).port}`
  return {
    url: `http://${hostPort}`,
    hostPort,
    hits,
    received,
    of: (prefix) => hits.filter((path) => path.startsWith(prefix)),
    onHit: (path, act) => void acts.set(path, act),
    gate(path) {
      const arrived = Promise.withResolvers<void>()
      const opened = Promise.withResolvers<string>()
      gates.set(path, (asked) => {
        arrived.resolve()
        const closed = new Promise<string>((resolve) => void setTimeout(resolve, gateMs, 'closed').unref())
        void Promise.race([opened.promise, closed]).then((word) => asked.end(word))
      })
      return { arrived: arrived.promise, open: () => opened.resolve('open') }
    },
    stop() {
      http.closeAllConnections()
      http.close()
    },
  }
}
