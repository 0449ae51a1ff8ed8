import { createServer, Socket, type AddressInfo, type NetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'

const ends = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected')).once('error', (error) => resolve(error.message))
  }).finally(() => socket.destroy())
const refused = (address: string) => `connect ENETUNREACH ${address}: no test leaves this machine`

// a range of addresses that nobody has
test.each(['192.0.2.1', '2001:db8::1'])('a test cannot connect to %s', async (address) => {
  expect(await ends(new Socket().connect(80, address))).toBe(refused(address))
  expect(await ends(new Socket().connect({ port: 80, host: address }))).toBe(refused(address))
  expect(await ends(connectTls({ port: 443, host: address }))).toBe(refused(address))
  await expect(fetch(`http://${address.includes(':') ? `[${address}]` : address}/`)).rejects.toMatchObject({
    cause: { code: 'ENETUNREACH' },
  })
})

test('nor to a name that has such an address', async () => {
  const lookup: NonNullable<Extract<NetConnectOpts, { port: number }>['lookup']> = (_, { all }, told) =>
    all ? told(null, [{ address: '192.0.2.1', family: 4 }]) : told(null, '192.0.2.1', 4)
  for (const autoSelectFamily of [true, false])
    expect(await ends(new Socket().connect({ port: 80, host: 'a.test', lookup, autoSelectFamily }))).toBe(
      refused('192.0.2.1'),
    )
})

test('it connects to loopback, by address and by name', async () => {
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  expect(await ends(new Socket().connect(port, '127.0.0.1'))).toBe('connected')
  expect(await ends(new Socket().connect(port, 'localhost'))).toBe('connected')
  server.close()
})
