import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { createEgress } from '../create-egress.ts'
import { EgressError } from '../egress-error.ts'
import { operatorRules, teamRules } from '../rules.ts'
import { createCanary, createTestInternet, never } from '../test-internet.ts'
import { createResolveHost } from './resolve-host.ts'

const publicAddress = '93.184.216.34'
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** A real name server on UDP: each question for a name takes the next of its answers, the last one for ever. TTL 0. */
async function startNameServer(answers: Record<string, string[][]>) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  const answered = new Map<number, Buffer>()
  socket.on('message', (query, from) => {
    // a resolver that waited for too long asks the same again
    const id = query.readUInt16BE(0)
    const before = answered.get(id)
    if (before) return socket.send(before, from.port, from.address)
    let end = 12
    const labels: string[] = []
    while (query[end] !== 0) {
      const length = query[end] ?? 0
      labels.push(query.toString('ascii', end + 1, end + 1 + length))
      end += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const isA = query.readUInt16BE(end + 1) === 1
    const list = answers[name]
    const addresses = isA ? ((list && list.length > 1 ? list.shift() : list?.[0]) ?? []) : []
    if (isA) asked.push(name)
    const head = Buffer.from(query.subarray(0, end + 5))
    head.writeUInt16BE(list ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    const answer = Buffer.concat([head, ...records])
    answered.set(id, answer)
    socket.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return { asked, resolveHost: createResolveHost({ servers: [`127.0.0.1:${socket.address().port}`] }) }
}

async function startInternet() {
  const internet = createTestInternet()
  await internet.serve(publicAddress, (_, response) => response.end('public'))
  closers.push(internet.close)
  return internet
}

describe('N05: DNS rebinding', () => {
  it('a name that is public first and private after is dialled at the address that was checked', async () => {
    const { asked, resolveHost } = await startNameServer({ 'rebind.test': [[publicAddress], ['127.0.0.1']] })
    const { dial, dialled } = await startInternet()
    const outbound = createEgress({ resolveHost, dial }).outbound({
      rules: teamRules({ allow: ['http://rebind.test/'] }),
    })
    const first = await outbound.fetch({ url: 'http://rebind.test/' }, never)
    expect(Buffer.from(first.body).toString()).toBe('public')
    expect(asked).toEqual(['rebind.test'])
    await expect(outbound.fetch({ url: 'http://rebind.test/' }, never)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      reason: 'private-address',
    })
    expect(dialled).toEqual([`${publicAddress}:80`])
  })

  it('a name that turns private between two hops is refused at the second', async () => {
    const { resolveHost } = await startNameServer({ 'rebind.test': [[publicAddress], ['127.0.0.1']] })
    const internet = createTestInternet()
    closers.push(internet.close)
    await internet.serve(publicAddress, (_, response) => response.writeHead(302, { location: '/again' }).end())
    const outbound = createEgress({ resolveHost, dial: internet.dial }).outbound({ rules: teamRules({ allow: 'any' }) })
    await expect(outbound.fetch({ url: 'http://rebind.test/' }, never)).rejects.toMatchObject({
      reason: 'private-address',
    })
    expect(internet.dialled).toEqual([`${publicAddress}:80`])
  })

  it('a name with a public and a private address is refused through every door, and nothing is dialled', async () => {
    const inside = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '::1', 'fd00::1', '64:ff9b::a00:1']
    const { dial, dialled } = await startInternet()
    for (const address of inside) {
      for (const addresses of [
        [publicAddress, address],
        [address, publicAddress],
      ]) {
        const egress = createEgress({ resolveHost: async () => addresses, dial })
        const rules = teamRules({ allow: 'any' })
        const outbound = egress.outbound({ rules })
        const url = 'http://mixed.test/'
        const refused = { code: 'FETCH_FAILED', reason: 'private-address' }
        await expect(outbound.fetch({ url }, never)).rejects.toMatchObject(refused)
        await expect(outbound.exchange({ url }, never)).rejects.toMatchObject(refused)
        await expect(outbound.mayConnect('mixed.test', 443, never)).rejects.toMatchObject(refused)
        await expect(egress.fetchFor(rules)(url)).rejects.toMatchObject({ cause: refused })
      }
    }
    expect(dialled).toEqual([])
  })

  it('a private address behind four public ones is seen', async () => {
    const others = ['151.101.1.6', '151.101.1.7', '151.101.1.8', '151.101.1.9', '151.101.1.10']
    const { resolveHost } = await startNameServer({ 'mixed.test': [[...others, '10.0.0.1']] })
    const { dial, dialled } = await startInternet()
    const outbound = createEgress({ resolveHost, dial }).outbound({ rules: teamRules({ allow: 'any' }) })
    await expect(outbound.fetch({ url: 'http://mixed.test/' }, never)).rejects.toMatchObject({
      reason: 'private-address',
    })
    expect(dialled).toEqual([])
  })

  it('the address that NAT64 made of a public one does not refuse the name, and is not dialled', async () => {
    const { dial, dialled } = await startInternet()
    const resolveHost = async () => [publicAddress, '64:ff9b::5db8:d822']
    const outbound = createEgress({ resolveHost, dial }).outbound({ rules: teamRules({ allow: 'any' }) })
    expect((await outbound.fetch({ url: 'http://translated.test/' }, never)).status).toBe(200)
    expect(dialled).toEqual([`${publicAddress}:80`])
  })

  it('with nothing made up but the name server, a private name never reaches the listener', async () => {
    const canary = await createCanary()
    closers.push(canary.close)
    const { resolveHost } = await startNameServer({ 'inside.test': [['127.0.0.1']] })
    const url = `http://inside.test:${canary.port}/`
    const team = createEgress({ resolveHost }).outbound({ rules: teamRules({ allow: 'any' }) })
    await expect(team.fetch({ url }, never)).rejects.toMatchObject({ code: 'FETCH_FAILED' })
    expect(canary.hits).toBe(0)
    // the same name and listener, opened by the operator
    const opened = createEgress({ resolveHost, allowPrivate: [{ host: '127.0.0.1', port: canary.port }] })
    await opened.outbound({ rules: teamRules({ allow: 'any' }) }).fetch({ url }, never)
    expect(canary.hits).toBe(1)
  })
})

describe('what an answer tells about the network behind', () => {
  it('a name that is inside and a name that does not exist read the same', async () => {
    const { resolveHost } = await startNameServer({ 'aaaaaa.test': [['10.0.0.7']] })
    const outbound = createEgress({ resolveHost }).outbound({ rules: teamRules({ allow: 'any' }) })
    const answers = []
    for (const name of ['aaaaaa.test', 'bbbbbb.test']) {
      const error = await outbound.fetch({ url: `http://${name}/` }, never).catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(EgressError)
      const { code, message } = error as EgressError
      answers.push({ code, message: message.replaceAll(name, 'NAME') })
    }
    expect(answers[0]).toEqual(answers[1])
    const [inside, missing] = outbound.log().map(({ error, status, bytes }) => ({ error, status, bytes }))
    expect(inside).toEqual(missing)
  })
})

describe('createResolveHost()', () => {
  it('asks the DNS, not the hosts file, unless the name is the operator’s', async () => {
    const { resolveHost } = await startNameServer({})
    expect(await resolveHost('localhost', { system: false, signal: never })).not.toContain('10.9.9.9')
    expect(await resolveHost('localhost', { system: true, signal: never })).toContain('127.0.0.1')
  })

  it('gives up on a silent name server when the connection’s time is over', async () => {
    const silent = createSocket('udp4')
    let questions = 0
    silent.on('message', () => questions++)
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    closers.push(() => new Promise<void>((resolve) => silent.close(() => resolve())))
    const resolveHost = createResolveHost({ servers: [`127.0.0.1:${silent.address().port}`] })
    const rules = teamRules({ allow: 'any', limits: { connectMs: 300 } })
    await expect(
      createEgress({ resolveHost }).outbound({ rules }).fetch({ url: 'http://slow.test/' }, never),
    ).rejects.toMatchObject({ code: 'FETCH_FAILED' })
    // for both families once: after two seconds a resolver that goes on asks again
    expect(questions).toBeLessThanOrEqual(2)
  })

  it('operator rules reach private names through the system’s resolver', async () => {
    const canary = await createCanary()
    closers.push(canary.close)
    const outbound = createEgress().outbound({ rules: operatorRules({ allow: [`http://localhost:${canary.port}/`] }) })
    expect((await outbound.fetch({ url: `http://localhost:${canary.port}/` }, never)).status).toBe(200)
  })
})
