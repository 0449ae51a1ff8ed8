// A client that costs next to nothing: it shares the cores with the server it measures, and a general one would take a tenth of them.
import { connect, type Socket } from 'node:net'

export interface HttpClient {
  /** The answer's JSON. Throws for anything but 2xx. */
  send<T>(request: HttpRequest): Promise<T>
  close(): void
}

interface HttpRequest {
  method: string
  path: string
  key: string
  body: unknown
}

/** HTTP/1.1 over connections that are kept; each carries one request at a time. Understands answers that say their length. */
export function createHttpClient(url: string): HttpClient {
  const { hostname, port, host } = new URL(url)
  const free = new Set<Connection>()
  const open = new Set<Connection>()
  const take = () => {
    const [kept] = free
    const connection = kept ?? openConnection(hostname, Number(port))
    free.delete(connection)
    if (kept) return connection
    open.add(connection)
    // the server lets go of one that was quiet for a while
    connection.socket.once('close', () => free.delete(connection) && open.delete(connection))
    return connection
  }

  return {
    async send<T>({ method, path, key, body }: HttpRequest) {
      const connection = take()
      const text = JSON.stringify(body)
      const request = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
      const { status, text: answer } = await connection.send(request)
      free.add(connection)
      if (status >= 300) throw new Error(`${status}: ${answer}`)
      return JSON.parse(answer || 'null') as T
    },
    close() {
      for (const connection of open) connection.socket.destroy()
    },
  }
}

interface Answer {
  status: number
  text: string
}

interface Connection {
  socket: Socket
  send(request: string): Promise<Answer>
}

function openConnection(hostname: string, port: number): Connection {
  const socket = connect({ host: hostname, port, noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = readAnswer(received)
    if (!answer) return
    received = Buffer.alloc(0)
    waiting?.resolve(answer)
  })
  const fail = (error?: Error) => waiting?.reject(error ?? new Error('the server closed the connection'))
  socket.on('error', fail)
  socket.on('close', () => fail())
  return {
    socket,
    send(request) {
      const answer = new Promise<Answer>((resolve, reject) => (waiting = { resolve, reject }))
      socket.write(request)
      return answer
    },
  }
}

/** The whole answer, once it is there. */
function readAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = status === 204 ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  const bodyEnd = end + 4 + Number(length)
  if (received.length < bodyEnd) return undefined
  return { status, text: received.toString('utf8', end + 4, bodyEnd) }
}
