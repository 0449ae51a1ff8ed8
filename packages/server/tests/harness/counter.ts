import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A place outside of the product that counts what reaches it. */
export interface Counter {
  url: string
  hostPort: string
  hits: string[]
  /** Of the paths that begin so, in the order they came. */
  of(prefix: string): string[]
  /** Called when a request to this path has come for the first time, before it is answered; false is no answer at all. */
  onHit(path: string, act: () => Promise<boolean> | boolean): void
  stop(): void
}

export async function startCounter(): Promise<Counter> {
  const hits: string[] = []
  const acts = new Map<string, () => Promise<boolean> | boolean>()
  const http: Server = createServer((request, response) => {
    const path = request.url ?? ''
    hits.push(path)
    const act = acts.get(path) ?? (() => true)
    acts.delete(path)
    response.writeHead(200, { 'content-type': 'text/plain' })
    // whoever is kept waiting hears that an answer is on its way
    const sign = setInterval(() => response.write(' '), 1_000)
    response.on('close', () => clearInterval(sign))
    void Promise.resolve(act()).then((isAnswered) => {
      if (isAnswered) response.end(`counted ${path}`)
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.2', resolve))
  const hostPort = `127.0.0.2:${(http.address() as AddressInfo).port}`
  return {
    url: `http://${hostPort}`,
    hostPort,
    hits,
    of: (prefix) => hits.filter((path) => path.startsWith(prefix)),
    onHit: (path, act) => void acts.set(path, act),
    stop() {
      http.closeAllConnections()
      http.close()
    },
  }
}
