import { connect, createServer, type AddressInfo } from 'node:net'

/** Passes connections on to a server, and cuts each one, up to `cuts` of them, after the first event that has `mark` in it. */
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
    let isCut = false
    server.on('data', (chunk: Buffer) => {
      if (isCut) return
      const at = left > 0 ? chunk.indexOf(mark) : -1
      if (at < 0) return void client.write(chunk)
      left -= 1
      isCut = true
      // whoever comes back late is told several at once: also then each connection brings one
      const end = chunk.indexOf('\n\n', at)
      client.write(end < 0 ? chunk : chunk.subarray(0, end + 2))
      // what was written still arrives; then the connection is gone without its end
      client.end(() => close())
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cutsLeft: () => left,
    close: () => new Promise<void>((resolve) => proxy.close(() => resolve())),
  }
}
