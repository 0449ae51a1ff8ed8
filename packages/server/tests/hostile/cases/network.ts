import { routes, type RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import type { HostileCase } from '../hostile-case.ts'
import type { World } from '../world.ts'
import { printed } from './namespace-escape.ts'

const python = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'python', code, ...more })

/** How each URL ended when a run with these prefixes fetched it: `reached` or the code of the refusal. */
type FetchAll = (world: World, allow: string[], urls: string[]) => Promise<[string, string][]>

const fetchAll: FetchAll = async ({ run }, allow, urls) => {
  const ended = await run({
    language: 'javascript',
    network: { allow },
    limits: { timeoutMs: 25_000 },
    input: urls,
    code: `export default async (env, urls) => Promise.all(urls.map((url) => env.FETCH.fetch(url).then(() => [url, 'reached'], (error) => [url, error.code ?? error.name])))`,
  })
  expect(ended.status, JSON.stringify(ended.error)).toBe('succeeded')
  return ended.result as [string, string][]
}

const isRefused = (code: string) => /^(URL_NOT_ALLOWED|FETCH_FAILED|INVALID_ARGUMENT)$/.test(code)

function expectRefused(found: [string, string][]): void {
  for (const [url, code] of found) expect([url, isRefused(code) ? 'refused' : code]).toEqual([url, 'refused'])
}

const doorOf = ({ canaries }: World) => `http://127.0.0.1:${canaries.door.port}/`

/** Has the server itself fetch from an address that the team names: a repository, then a model's server. */
async function nameToServer({ send, attacker }: World, address: string): Promise<{ cloned: number; model: unknown }> {
  const body = (value: unknown) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  })
  const cloned = await send('/api/v1/workspaces/clone', body({ url: address }))
  const name = 'COHEREX_COMPATIBLE_BASE_URL'
  await attacker(routes.secrets.put, { params: { name }, body: { value: address } })
  const { text } = await send('/api/v1/models/check', body({ provider: 'compatible' }))
  await attacker(routes.secrets.remove, { params: { name } })
  return { cloned: cloned.status, model: JSON.parse(text) }
}

/** Ways to addresses and names that must not be reached, by whatever a program fetches with. */
export const reachCases = (fetchAll: FetchAll): HostileCase[] => [
  {
    id: 'N02',
    title: 'loopback in every spelling is refused',
    async attack(world) {
      const { listenerPort: port } = world.canaries
      const hosts = [
        '127.0.0.1',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
        '127.1',
        '0',
        '①②⑦.⓪.⓪.①',
        '127.0.0.1.',
        'localhost',
        'LOCALHOST.',
        'a.localhost',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '0x7f.1',
        '017700000001',
        '127.0.0.1%2e',
        '[::]',
        '0.0.0.0',
        '[0:0:0:0:0:0:0:1]',
        '127.255.255.254',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
        '１２７.０.０.１',
      ]
      const urls = hosts.map((host) => `http://${host}:${port}/`)
      const allow = urls.filter((url) => URL.canParse(url))
      expectRefused(await fetchAll(world, allow, urls))
    },
    async control(world) {
      const [found] = await fetchAll(world, [doorOf(world)], [`http://2130706433:${world.canaries.door.port}/`])
      expect(found?.[1]).toBe('reached')
    },
  },
  {
    id: 'N02-b',
    title: 'private, link-local, metadata and reserved ranges are refused',
    async attack(world) {
      const hosts = [
        '10.0.0.1',
        '172.16.0.1',
        '192.168.0.1',
        '169.254.169.254',
        '100.64.0.1',
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
        '[fe80::1]',
        '[fd00::1]',
        '[fd00:ec2::254]',
        '[ff02::1]',
        '2852039166',
        '0xa9fea9fe',
        '[::ffff:a9fe:a9fe]',
        'metadata.google.internal',
        '168.63.129.16',
      ]
      const urls = hosts.map((host) => `http://${host}/`)
      expectRefused(await fetchAll(world, urls, urls))
    },
  },
  {
    id: 'N04',
    title: 'a redirect inward is checked like a request',
    async attack(world) {
      const { listenerPort, door } = world.canaries
      const urls = [301, 302, 303, 307, 308].map((status) => `${doorOf(world)}redirect/${status}`)
      // even where the target is on the list: the operator has not opened it
      expectRefused(
        await fetchAll(
          world,
          [doorOf(world), `http://127.0.0.1:${listenerPort}/`],
          [...urls, `${doorOf(world)}chain/20`],
        ),
      )
      const [refresh] = await fetchAll(world, [doorOf(world)], [`${doorOf(world)}refresh`])
      expect(refresh?.[1]).toBe('reached')
      expect(door.requests()).toContain('/refresh')
    },
    async control(world) {
      const [found] = await fetchAll(world, [doorOf(world)], [`${doorOf(world)}chain/3`])
      expect(found?.[1]).toBe('reached')
    },
  },
  {
    id: 'N04-b',
    title: 'redirects to other schemes, spellings and hosts outside the list are refused',
    async attack(world) {
      const { listenerPort } = world.canaries
      const targets = [
        `//127.0.0.1:${listenerPort}/`,
        `http://2130706433:${listenerPort}/`,
        'file:///etc/passwd',
        'gopher://127.0.0.1:70/',
        `http://a@127.0.0.1:${listenerPort}/`,
        'javascript:1',
        'http://example.com/',
        `\\\\127.0.0.1:${listenerPort}\\`,
        world.server.url,
      ]
      const urls = targets.map((target) => `${doorOf(world)}redirect-to/${encodeURIComponent(target)}`)
      expectRefused(await fetchAll(world, [doorOf(world), `http://127.0.0.1:${listenerPort}/`], urls))
    },
  },
  {
    id: 'N05',
    title: 'a name that changes its address leads to the one that was checked',
    async attack(world) {
      const { names, canaries } = world
      if (!names) return
      const urls = ['rebind.test', 'mixed.test', 'inside.test'].flatMap((host) =>
        Array.from({ length: 3 }, () => `http://${host}:${canaries.listenerPort}/`),
      )
      expectRefused(await fetchAll(world, [...new Set(urls)], urls))
      for (const host of ['rebind.test', 'mixed.test', 'inside.test']) expect(names.asked(host)).toBeGreaterThan(0)
    },
    async control(world) {
      if (!world.names) return
      const url = `http://door.test:${world.canaries.door.port}/`
      expect(await fetchAll(world, [url], [url])).toEqual([[url, 'reached']])
    },
  },
  {
    id: 'N05-b',
    title: 'an opened name does not open the address, another port or another name of it',
    async attack(world) {
      const { canaries } = world
      const urls = [
        `http://door.test:${canaries.listenerPort}/`,
        `http://inside.test:${canaries.door.port}/`,
        `https://door.test:${canaries.listenerPort}/`,
      ]
      const found = await fetchAll(world, urls, urls)
      // the address is listed by itself with the door's port, which is what inside.test leads to
      expectRefused(found.filter(([url]) => !url.startsWith('http://inside.test')))
    },
  },
  {
    id: 'N05-c',
    title: 'a name with an address that may be reached and one that may not is refused',
    async attack(world) {
      const { names, canaries } = world
      if (!names) return
      // 127.0.0.1 is opened with the door's port, 10.0.0.1 is not
      const url = `http://both.test:${canaries.door.port}/both`
      expectRefused(await fetchAll(world, [url], [url]))
      expect(names.asked('both.test')).toBeGreaterThan(0)
      expect(canaries.door.requests()).not.toContain('/both')
    },
  },
  {
    id: 'N07',
    title: 'what two parsers would read in two ways is refused',
    async attack(world) {
      const { listenerPort: port } = world.canaries
      const good = new URL(doorOf(world)).host
      const urls = [
        `http://${good}#@127.0.0.1:${port}/`,
        `http://a@127.0.0.1:${port}/`,
        `http://${good}\\@127.0.0.1:${port}/`,
        `http://${good}@127.0.0.1:${port}/`,
        `http://127.0.0.1:${port}\t/`,
        `http://127.0.0.1\r\n:${port}/`,
        `http://${good}\0.127.0.0.1:${port}/`,
        `http:/\\127.0.0.1:${port}/`,
        `http://127.0.0.1:${port}/../x`,
        `ht\ntp://127.0.0.1:${port}/`,
        `http://[::ffff:127.0.0.1%25lo]:${port}/`,
        ` http://127.0.0.1:${port}/`,
        `http:127.0.0.1:${port}`,
        `///127.0.0.1:${port}/`,
      ]
      const found = await fetchAll(world, [doorOf(world), `http://127.0.0.1:${port}/`], urls)
      // the first is the good host with a fragment to every parser of today
      expectRefused(found.filter(([url]) => !url.includes('#')))
    },
    async control(world) {
      const url = `${doorOf(world)}a/b?c=d#e`
      expect(await fetchAll(world, [doorOf(world)], [url])).toEqual([[url, 'reached']])
    },
  },
  {
    id: 'N07-b',
    title: 'a path prefix cannot be left by dots in any coding',
    async attack(world) {
      const allow = [`${doorOf(world)}inside/`]
      const urls = [
        '../outside',
        'a/../../outside',
        '%2e%2e/outside',
        '..%2foutside',
        '%252e%252e/outside',
        '..;/outside',
        '%2e%2e%2foutside',
        '..\\outside',
        '%5c..%5coutside',
        '\u2025/outside',
      ].map((path) => `${allow[0]}${path}`)
      const found = await fetchAll(world, allow, [...urls, `${doorOf(world)}insideout`, doorOf(world)])
      expectRefused(found.filter(([url]) => !url.endsWith('\u2025/outside')))
      expect(
        world.canaries.door.requests().filter((url) => /outside|insideout/.test(url) && !url.startsWith('/inside/%E2')),
      ).toEqual([])
      const bad = await world.send('/api/v1/runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ language: 'javascript', code: '1', network: { allow: ['http://*/', 'file:///'] } }),
      })
      expect(bad.status).toBe(400)
    },
  },
  {
    id: 'N08',
    title: 'other schemes, ports of other services and the product’s own port are refused',
    async attack(world) {
      const own = new URL(world.server.url)
      const schemes = [
        'file:///etc/passwd',
        'gopher://127.0.0.1:70/_x',
        'ftp://127.0.0.1/',
        'data:text/plain,x',
        'blob:http://x/y',
        'ws://127.0.0.1/',
        'javascript:1',
        'unix:/run/x',
        'about:blank',
        'dict://127.0.0.1:11211/stats',
        'HTTP+UNIX://x/',
      ]
      const ports = [22, 25, 53, 5432, 6379, 9200, 11211, 2375].map((port) => `http://192.88.98.1:${port}/`)
      const listener = ['127.0.0.1', 'localhost', '127.0.0.2', '0.0.0.0', '[::1]', '2130706433'].map(
        (host) => `http://${host}:${own.port}/healthz`,
      )
      expectRefused(await fetchAll(world, [...ports, ...listener], [...schemes, ...ports, ...listener]))
    },
    async control(world) {
      expect((await world.send('/healthz')).status).toBe(200)
    },
  },
]

export const network: HostileCase[] = [
  {
    id: 'N01',
    title: 'a sandbox reaches no address',
    async attack({ run, canaries }) {
      const { result } = await run(
        python(
          `import socket
out = []
for family, address in [(2, ('127.0.0.1', ${canaries.listenerPort})), (2, ('10.0.0.1', 80)), (2, ('169.254.169.254', 80)), (10, ('::1', ${canaries.listenerPort})), (2, ('192.0.2.1', 53)), (2, ('0.0.0.0', ${canaries.listenerPort})), (10, ('::ffff:127.0.0.1', ${canaries.listenerPort}))]:
    for kind in (1, 2):
        try:
            one = socket.socket(family, kind); one.settimeout(1); one.connect(address); one.send(b'x')
            out.append(['reached', kind, address[0]] if kind == 1 else ['sent', kind, address[0]])
        except OSError as error: pass
try: out.append(socket.getaddrinfo('example.com', 80) and ['resolved'])
except OSError: pass
out`,
          { limits: { timeoutMs: 20_000 } },
        ),
      )
      // loopback of its own namespace may take a datagram; nothing of it leaves
      expect((result as string[][]).filter(([what]) => what !== 'sent')).toEqual([])
    },
    async control({ run, canaries }) {
      await canaries.touch()
      const { result } = await run(
        python(`import socket\na, b = socket.socketpair()\na.send(b'x')\nb.recv(1).decode()`),
      )
      expect(result).toBe('x')
    },
  },
  {
    id: 'N01-b',
    title: 'nor from Bash, Node or an isolate, nor through abstract sockets of the host',
    async attack({ run, canaries }) {
      const shell = await run({
        language: 'bash',
        code: `(exec 5<>/dev/tcp/127.0.0.1/${canaries.listenerPort}) 2>/dev/null && echo reached; (echo x > /dev/udp/10.0.0.1/53) 2>/dev/null && echo sent; curl -s -m 2 http://127.0.0.1:${canaries.listenerPort}/ && echo reached; cat /proc/net/unix | grep -c '@' `,
      })
      expect(printed(shell).trim()).toBe('0')
      const node = await run({
        language: 'node',
        code: `import net from 'node:net'\nimport dns from 'node:dns/promises'\nconst tries = await Promise.allSettled([new Promise((resolve, reject) => net.connect(${canaries.listenerPort}, '127.0.0.1', () => resolve('reached')).on('error', reject)), fetch('http://127.0.0.1:${canaries.listenerPort}/'), dns.lookup('localhost.test'), new Promise((resolve, reject) => net.connect({ path: '\\0coherex' }, () => resolve('reached')).on('error', reject))])\nexport default () => tries.map((one) => one.status)`,
        limits: { timeoutMs: 10_000 },
      })
      expect(node.result).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
      const isolate = await run({
        language: 'javascript',
        // fetch is there to say that there is no network
        code: `const tried = await fetch('http://127.0.0.1:${canaries.listenerPort}/').then(() => 'reached', () => 'refused');
[tried, typeof XMLHttpRequest, typeof WebSocket, typeof EventSource, typeof env.FETCH].join()`,
      })
      expect(isolate.result).toBe('refused,undefined,undefined,undefined,undefined')
    },
  },
  ...reachCases(fetchAll),
  {
    id: 'N08-b',
    title: 'methods and headers that speak to proxies or smuggle are refused or dropped',
    async attack(world) {
      const door = doorOf(world)
      const { result } = await world.run({
        language: 'javascript',
        network: { allow: [door] },
        code: `export default async (env) => { const out = []
for (const options of [{ method: 'CONNECT' }, { method: 'TRACE' }, { method: 'GET / HTTP/1.1\\r\\nx: y' }, { method: 'POST' }, { headers: { 'x\\r\\ny': 'z' } }, { headers: { x: 'a\\r\\nhost: b' } }, { unknown: 1 }]) out.push(await env.FETCH.fetch('${door}', options).then(() => 'reached', (error) => error.code ?? error.name))
return out }`,
      })
      for (const one of result as string[]) expect(one).not.toBe('reached')
    },
  },
  {
    id: 'N08-c',
    title: 'requests with headers, addresses or bodies without end are refused before they cost anything',
    async attack(world) {
      const door = doorOf(world)
      const { result } = await world.run({
        language: 'javascript',
        network: { allow: [door] },
        limits: { timeoutMs: 60_000, memoryMb: 256 },
        code: `export default async (env) => { const out = []
const many = Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => ['x' + at, 'y']))
for (const [url, options] of [['', { headers: many }], ['', { headers: { ...many, x1: 1 } }], ['', { headers: Object.entries(many) }], ['', many], ['', { headers: { x: 'y'.repeat(5e6) } }], ['x'.repeat(3e6)], ['', { method: 'POST', body: 'x'.repeat(2e7) }]])
  out.push(await env.FETCH.fetch('${door}' + url, options).then(() => 'reached', (error) => error.code))
out.push(await env.BASH.exec('true', { env: many }).then(() => 'reached', (error) => error.code))
return out }`,
      })
      expect(result).toHaveLength(8)
      for (const one of result as string[])
        expect(one).toMatch(/^(INVALID_ARGUMENT|FETCH_FAILED|URL_NOT_ALLOWED|LIMIT_EXCEEDED)$/)
    },
    async control(world) {
      const door = doorOf(world)
      const { result } = await world.run({
        language: 'javascript',
        network: { allow: [door] },
        code: `export default async (env) => (await env.FETCH.fetch('${door}', { headers: Object.fromEntries(Array.from({ length: 200 }, (_, at) => ['x' + at, 'y'])) })).status`,
      })
      expect(result).toBe(200)
    },
  },
  {
    id: 'N10',
    title: 'slow and endless answers end with the run or at their bounds, and the socket closes',
    async attack(world) {
      const door = doorOf(world)
      const slow = ['silent', 'drip'].map((path) =>
        world.run({
          language: 'javascript',
          network: { allow: [door] },
          limits: { timeoutMs: 800 },
          code: `export default (env) => env.FETCH.fetch('${door}${path}')`,
        }),
      )
      for (const { error } of await Promise.all(slow)) expect(error?.kind).toBe('timeout')
      const { result } = await world.run({
        language: 'javascript',
        network: { allow: [door] },
        code: `export default async (env) => { const { body, truncated } = await env.FETCH.fetch('${door}endless', { maxBytes: 100000 }); return [body.length, truncated] }`,
      })
      expect(result).toEqual([100_000, true])
      expectRefused(await fetchAll(world, [door], [`${door}headers`, `${door}many-headers`, `${door}no-http`]))
      const asked = ['/silent', '/drip', '/endless', '/headers', '/many-headers', '/no-http']
      for (const path of asked) expect(world.canaries.door.requests()).toContain(path)
      await eventually(
        () => world.canaries.door.open(asked),
        (open) => open === 0,
        15_000,
      )
    },
    async control(world) {
      expect(await fetchAll(world, [doorOf(world)], [doorOf(world)])).toEqual([[doorOf(world), 'reached']])
    },
  },
  {
    id: 'N10-c',
    title: 'answers in the smallest pieces hold nobody up',
    async attack(world) {
      const door = doorOf(world)
      const floods = ['/informational', '/tiny-chunks', '/chunk-extensions', '/trailers']
      const ended = await Promise.all(
        [...floods, '/many-encodings', '/length-lie'].map((path) =>
          world.run({
            language: 'javascript',
            network: { allow: [door] },
            limits: { timeoutMs: 1500, memoryMb: 256 },
            code: `export default (env) => env.FETCH.fetch('${door.slice(0, -1)}${path}', { maxBytes: 100_000 }).then(({ body }) => body.length, (error) => error.code)`,
          }),
        ),
      )
      for (const { result, error } of ended)
        expect([100_000, 'FETCH_FAILED', 'timeout']).toContain(result ?? error?.kind)
      for (const path of floods) expect(world.canaries.door.requests()).toContain(path)
      await eventually(
        () => world.canaries.door.open(floods),
        (open) => open === 0,
        15_000,
      )
    },
  },
  {
    id: 'N11',
    title: 'repositories and models that a team names are asked through the same guard',
    async attack(world) {
      const { listenerPort } = world.canaries
      for (const host of ['127.0.0.1', '2130706433', 'localhost', '[::1]', '[::ffff:127.0.0.1]', 'inside.test']) {
        const { cloned, model } = await nameToServer(world, `http://${host}:${listenerPort}/x`)
        expect([host, cloned >= 400 && cloned < 500]).toEqual([host, true])
        expect(model).toMatchObject({ problem: expect.any(String) })
      }
      await nameToServer(world, `http://both.test:${world.canaries.door.port}/mixed`)
      expect(world.canaries.door.requests().filter((path) => path.startsWith('/mixed'))).toEqual([])
    },
    async control(world) {
      await nameToServer(world, `${doorOf(world)}named`)
      const asked = world.canaries.door.requests()
      expect(asked).toContain('/named/info/refs?service=git-upload-pack')
      expect(asked).toContain('/named/models')
    },
  },
  {
    id: 'N11-b',
    title: 'nor does a redirect of such a server lead inside',
    async attack(world) {
      const inside = encodeURIComponent(`http://127.0.0.1:${world.canaries.listenerPort}/`)
      for (const path of ['redirect/302', 'redirect/308', `redirect-to/${inside}`]) {
        const { cloned, model } = await nameToServer(world, `${doorOf(world)}${path}`)
        expect([path, cloned >= 400 && cloned < 500]).toEqual([path, true])
        expect(model).toMatchObject({ problem: expect.any(String) })
      }
    },
  },
  {
    id: 'N10-b',
    title: 'a cancelled run lets go of its requests at once',
    async attack(world) {
      const door = doorOf(world)
      const { attacker, canaries } = world
      const path = '/silent/until-cancelled'
      const { id } = await attacker(routes.runs.create, {
        query: { wait: 'false' },
        body: {
          language: 'javascript',
          network: { allow: [door] },
          code: `export default (env) => Promise.all(Array.from({ length: 20 }, () => env.FETCH.fetch('${door.slice(0, -1)}${path}')))`,
          limits: { timeoutMs: 120_000 },
        },
      })
      await eventually(
        () => canaries.door.open([path]),
        (open) => open === 20,
        60_000,
      )
      expect((await attacker(routes.runs.cancel, { params: { id } })).status).toBe('cancelled')
      await eventually(
        () => canaries.door.open([path]),
        (open) => open === 0,
        15_000,
      )
    },
  },
]
