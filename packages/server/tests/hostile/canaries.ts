import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** What an attack must neither read nor reach. The texts are in no name, path or program. */
export interface Canaries {
  fileText: string
  environmentText: string
  rowText: string
  /** World-readable, so that only the sandbox stands before it. */
  filePath: string
  /** A listener on loopback that nobody may reach. */
  listenerPort: number
  /** Connections to it so far. */
  hits(): number
  /** Connects from the host, to show that the listener counts. */
  touch(): Promise<void>
  /** A web server that the operator opened to teams. */
  door: Door
  close(): Promise<void>
}

export interface Door {
  port: number
  requests(): string[]
  /** Requests for these paths that are still open. Cases run side by side: each asks after its own. */
  open(paths: string[]): number
}

export async function plantCanaries(): Promise<Canaries> {
  const text = (name: string) => `CANARY-${name}-${randomBytes(12).toString('hex')}`
  const fileText = text('FILE')
  const filePath = join(tmpdir(), `coherex-hostile-${randomBytes(4).toString('hex')}.txt`)
  await writeFile(filePath, fileText, { mode: 0o644 })

  let hits = 0
  const listener = createServer((socket) => {
    hits++
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  const listenerPort = await listen(listener)
  const door = await openDoor(listenerPort)
  return {
    fileText,
    filePath,
    environmentText: text('ENVIRONMENT'),
    rowText: text('ROW'),
    listenerPort,
    hits: () => hits,
    async touch() {
      const before = hits
      const socket = connect(listenerPort, '127.0.0.1').resume()
      await new Promise((resolve) => socket.once('close', resolve))
      if (hits !== before + 1) throw new Error('the listener does not count')
      hits = before
    },
    door,
    async close() {
      await new Promise((resolve) => listener.close(resolve))
      await door.close()
      await rm(filePath, { force: true })
    },
  }
}

async function openDoor(listenerPort: number): Promise<Door & { close(): Promise<void> }> {
  const seen: string[] = []
  const unanswered: string[] = []
  const zeros = Buffer.alloc(50_000_000)
  const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros) }
  const inside = `http://127.0.0.1:${listenerPort}/secret`
  const server = createHttpServer((request, response) => {
    const url = request.url ?? '/'
    seen.push(url)
    unanswered.push(url)
    response.once('close', () => unanswered.splice(unanswered.indexOf(url), 1))
    const [, kind = '', what = ''] = url.split('/')
    response.on('error', () => undefined)
    if (kind === 'redirect') response.writeHead(Number(what), { location: inside }).end()
    else if (kind === 'redirect-to') response.writeHead(302, { location: decodeURIComponent(what) }).end()
    else if (kind === 'chain')
      response.writeHead(302, { location: Number(what) > 0 ? `/chain/${Number(what) - 1}` : '/plain' }).end()
    else if (kind === 'refresh') {
      const headers = { 'content-type': 'text/html', refresh: `0; url=${inside}` }
      response.writeHead(200, headers).end(`<meta http-equiv="refresh" content="0;url=${inside}">`)
    } else if (kind === 'bomb') {
      const coding = what === 'br' ? 'br' : 'gzip'
      response.writeHead(200, { 'content-encoding': coding }).end(bombs[coding])
    } else if (kind === 'double-bomb') {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bombs.gzip))
    } else if (kind === 'endless') {
      response.writeHead(200)
      const more = () => !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(more))
      more()
    } else if (kind === 'silent') return
    else if (kind === 'drip') {
      const timer = setInterval(() => response.write('x'), 100)
      response.on('close', () => clearInterval(timer))
    } else if (kind === 'headers') response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}\r\n\r\n`)
    else if (kind === 'many-headers') response.socket?.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}\r\n`)
    else if (kind === 'informational') flood(response.socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n')
    else if (kind === 'tiny-chunks') flood(response.socket, chunked, '1\r\nx\r\n')
    else if (kind === 'chunk-extensions') flood(response.socket, chunked, `1;${'e'.repeat(1000)}\r\nx\r\n`)
    else if (kind === 'trailers') flood(response.socket, `${chunked}0\r\n`, 'x: y\r\n')
    else if (kind === 'many-encodings')
      response.writeHead(200, { 'content-encoding': Array(1000).fill('gzip').join(', ') }).end(gzipSync('x'))
    else if (kind === 'tiny-gzip') {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const next = (at: number) =>
        at < bombs.gzip.length &&
        !response.destroyed &&
        response.write(bombs.gzip.subarray(at, at + 1), () => next(at + 1))
      next(0)
    } else if (kind === 'length-lie')
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 9007199254740993\r\n\r\nx')
    else if (kind === 'no-http') response.socket?.end('* OK IMAP4 ready\r\n')
    else response.end('plain')
  })
  const port = await listen(server)
  return {
    port,
    requests: () => seen,
    open: (paths) => unanswered.filter((url) => paths.includes(url)).length,
    async close() {
      server.closeAllConnections()
      await Promise.race([new Promise((resolve) => server.close(resolve)), delay(1000)])
    },
  }
}

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** The same piece without end, as fast as it is taken. */
function flood(socket: Socket | null, head: string, piece: string): void {
  const many = piece.repeat(Math.ceil(65_536 / piece.length))
  // with a reader that keeps up, writes that call each other leave the process no turn for anything else, its garbage included
  const more = () => socket && !socket.destroyed && socket.write(many, () => setImmediate(more))
  socket?.write(head, more)
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
