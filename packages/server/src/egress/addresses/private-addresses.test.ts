import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../create-egress.ts'
import { EgressError } from '../egress-error.ts'
import { operatorRules, teamRules } from '../rules.ts'
import { createCanary, createTestInternet, never } from '../test-internet.ts'

let canary: Awaited<ReturnType<typeof createCanary>>
let canaryV6: Awaited<ReturnType<typeof createCanary>> | undefined

beforeAll(async () => {
  canary = await createCanary()
  canaryV6 = await createCanary('::1').catch(() => undefined)
})
afterAll(async () => {
  await canary.close()
  await canaryV6?.close()
})

const spellings = [
  '127.0.0.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '127.0.1',
  '0',
  '0.0.0.0',
  '①②⑦.⓪.⓪.①',
  '１２７。０。０。１',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
]

async function refusal(attempt: Promise<unknown>): Promise<EgressError> {
  return attempt.then(
    () => expect.fail('it was fetched'),
    (error) => {
      expect(error).toBeInstanceOf(EgressError)
      return error
    },
  )
}

describe('N02: loopback in every spelling', () => {
  it.each(spellings)('%s is refused before anything is dialled, even when listed', async (host) => {
    const url = `http://${host}:${canary.port}/secret`
    const dialled: string[] = []
    const dial = async (address: string) => {
      dialled.push(address)
      throw new Error('dialled')
    }
    for (const allow of ['any', [`http://${host}:${canary.port}/`]] as const) {
      const outbound = createEgress({ dial }).outbound({ rules: teamRules({ allow }) })
      expect(await refusal(outbound.fetch({ url }, never))).toMatchObject({
        code: 'URL_NOT_ALLOWED',
        reason: 'private-address',
      })
      expect(outbound.log()).toMatchObject([{ status: null, error: 'URL_NOT_ALLOWED', bytes: 0 }])
    }
    expect(dialled).toEqual([])
    expect(canary.hits).toBe(0)
  })

  it('the same probe reaches the listener where the rules are the operator’s', async () => {
    const outbound = createEgress().outbound({ rules: operatorRules({ allow: 'any' }) })
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '①②⑦.⓪.⓪.①', 'localhost', '[::ffff:127.0.0.1]']) {
      const { body } = await outbound.fetch({ url: `http://${host}:${canary.port}/` }, never)
      expect(Buffer.from(body).toString()).toBe('secret')
    }
    expect(canary.hits).toBe(6)
  })
})

describe('the neighbours of loopback', () => {
  it.each([
    '169.254.169.254',
    '10.0.0.1',
    '192.168.1.1',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '100.100.100.200',
    '168.63.129.16',
    '224.0.0.1',
  ])('%s is refused', async (host) => {
    const outbound = createEgress().outbound({ rules: teamRules({ allow: 'any' }) })
    expect(await refusal(outbound.fetch({ url: `http://${host}/latest/meta-data/` }, never))).toMatchObject({
      code: 'URL_NOT_ALLOWED',
    })
  })
})

describe('what the operator opened', () => {
  it('is reached at exactly that host and port', async () => {
    const internet = createTestInternet({ 'intra.test': ['127.0.0.1'] })
    const { port } = canary
    const before = canary.hits
    const other = await createCanary()
    const { resolveHost } = internet
    const byAddress = createEgress({ resolveHost, allowPrivate: [{ host: '127.0.0.1', port }] })
    const byName = createEgress({ resolveHost, allowPrivate: [{ host: 'intra.test', port }] })
    const rules = teamRules({ allow: 'any' })
    for (const [egress, host] of [
      [byAddress, '127.0.0.1'],
      [byAddress, '127.1'],
      [byAddress, 'intra.test'],
      [byName, 'intra.test'],
    ] as const) {
      const { status } = await egress.outbound({ rules }).fetch({ url: `http://${host}:${port}/` }, never)
      expect(status).toBe(200)
    }
    expect(canary.hits - before).toBe(4)
    await refusal(byName.outbound({ rules }).fetch({ url: `http://127.0.0.1:${port}/` }, never))
    await refusal(byAddress.outbound({ rules }).fetch({ url: `http://127.0.0.1:${other.port}/` }, never))
    await refusal(byAddress.outbound({ rules }).fetch({ url: `http://127.0.0.2:${port}/` }, never))
    expect(other.hits).toBe(0)
    await other.close()
  })

  it('still is not this server’s own door', async () => {
    const { port } = canary
    const before = canary.hits
    const egress = createEgress({
      allowPrivate: [
        { host: '127.0.0.1', port },
        { host: '127.0.0.2', port },
        { host: '0.0.0.0', port },
      ],
      ownListeners: [{ host: '127.0.0.1', port }],
    })
    for (const host of ['127.0.0.1', '127.0.0.2', '0', '2130706433']) {
      const outbound = egress.outbound({ rules: teamRules({ allow: 'any' }) })
      expect(await refusal(outbound.fetch({ url: `http://${host}:${port}/` }, never))).toMatchObject({
        code: 'URL_NOT_ALLOWED',
      })
    }
    expect(canary.hits).toBe(before)
  })
})

describe('N08: schemes and ports', () => {
  it.each([
    'file:///etc/passwd',
    'gopher://x/',
    'ftp://x/',
    'data:,x',
    'blob:http://x/1',
    'ws://x/',
    'wss://x/',
    'unix:/x',
    'HTTP+unix://x',
  ])('%s is refused', async (url) => {
    const outbound = createEgress().outbound({ rules: teamRules({ allow: 'any' }) })
    expect(await refusal(outbound.fetch({ url }, never))).toMatchObject({ code: 'URL_NOT_ALLOWED', reason: 'bad-url' })
  })

  it('ports of other protocols are refused on public hosts, web ports are not', async () => {
    const internet = createTestInternet({ 'api.test': ['93.184.216.34'] })
    await internet.serve('93.184.216.34', (_, response) => response.end('ok'))
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
    for (const port of [22, 25, 465, 587, 2375, 3306, 5432, 6379, 6667, 9200, 11211, 27017]) {
      expect(await refusal(outbound.fetch({ url: `http://api.test:${port}/` }, never))).toMatchObject({
        code: 'URL_NOT_ALLOWED',
        reason: 'port',
      })
    }
    expect(internet.dialled).toEqual([])
    for (const port of [80, 8080, 3000]) {
      expect((await outbound.fetch({ url: `http://api.test:${port}/` }, never)).status).toBe(200)
    }
    await internet.close()
  })

  it('this server’s public name is refused at its port', async () => {
    const internet = createTestInternet({ 'coherex.test': ['93.184.216.34'], 'coherex.test.': ['93.184.216.34'] })
    const egress = createEgress({ ...internet, ownListeners: [{ host: 'coherex.test', port: 80 }] })
    const outbound = egress.outbound({ rules: teamRules({ allow: 'any' }) })
    for (const url of ['http://coherex.test/', 'http://coherex.test./', 'http://COHEREX%2etest.:80/']) {
      expect(await refusal(outbound.fetch({ url }, never)), url).toMatchObject({ reason: 'own-listener' })
    }
    expect(internet.dialled).toEqual([])
  })
})

describe('a name beside a door of the operator', () => {
  const names = {
    'mirror.test': ['10.0.0.8'],
    'files.test': ['10.0.0.8'],
    'other.test': ['10.0.0.9'],
    'both.test': ['10.0.0.8', '10.0.0.9'],
  }
  const reach = async (url: string, ownListeners: { host: string; port: number }[] = []) => {
    const internet = createTestInternet(names)
    for (const address of ['10.0.0.8', '10.0.0.9']) {
      await internet.serve(address, (request, response) => void response.end(request.headers.host))
    }
    const rules = teamRules({ allow: 'any', beside: [{ host: 'mirror.test', port: 80 }] })
    const outbound = createEgress({ ...internet, ownListeners }).outbound({ rules })
    return outbound.fetch({ url }, never).finally(() => internet.close())
  }

  it('is reached where it leads to the same address and port alone', async () => {
    expect(Buffer.from((await reach('http://files.test/')).body).toString()).toBe('files.test')
  })

  it.each([
    'http://other.test/',
    'http://both.test/',
    'http://files.test:8080/',
    'http://10.0.0.8/',
    'https://files.test/',
  ])('does not open %s', async (url) => {
    await refusal(reach(url))
  })

  it('does not open the port of this server', async () => {
    await refusal(reach('http://files.test/', [{ host: '127.0.0.1', port: 80 }]))
  })
})
