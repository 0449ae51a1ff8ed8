import { connect, createServer, type AddressInfo } from 'node:net'

/** Passes connections on to a server, and cuts each one, up to `cuts` of them, when an answer has `mark` in it. */
export async function startBreakingProxy(url: string, { mark, cuts }: { mark: string; cuts: number }) {
  let left = cuts
  const { hostname, port } = new URL(url)
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    const close = () => {
      client.destroy()
      server.destroy()
    }
    client.on('error', close).on('close', close).pipe(server)
    server.on('error', close).on('close', close)
    server.on('data', (chunk: Buffer) => {
      client.write(chunk)
      if (left > 0 && chunk.includes(mark)) {
        left -= 1
        // what was written still arrives; then the connection is gone without its end
        client.end(() => close())
      }
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cutsLeft: () => left,
    close: () => new Promise<void>((resolve) => proxy.close(() => resolve())),
  }
}
