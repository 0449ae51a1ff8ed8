import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import type { HostileCase } from '../hostile-case.ts'
import type { World } from '../world.ts'
import { reachCases } from './network.ts'

/** Speaks to the sandbox's proxy without a client in between that would tidy up what is sent. */
const speak = `import socket
def speak(text):
    with socket.create_connection(("127.0.0.1", 61080), timeout=20) as client:
        client.sendall(text if isinstance(text, bytes) else text.encode())
        answer = b""
        try:
            while piece := client.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
    head = answer.split(b"\\r\\n\\r\\n")[0].decode("latin-1").split("\\r\\n")
    location = [line.split(": ", 1)[1] for line in head if line.lower().startswith("location: ")]
    return int(head[0].split(" ")[1]), location[0] if location else None
`

/** Follows redirects as a client does: each is a request of its own to the proxy. */
async function fetchByProxy({ run }: World, allow: string[], urls: string[]): Promise<[string, string][]> {
  const ended = await run({
    language: 'python',
    network: { allow },
    limits: { timeoutMs: 25_000 },
    input: urls,
    code: `import coherex
from urllib.parse import urljoin
${speak}
def follow(url):
    for hop in range(6):
        status, location = speak(f"GET {url} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
        if location is None:
            return "reached" if status < 400 else "FETCH_FAILED"
        url = urljoin(url, location)
    return "FETCH_FAILED"
[[url, follow(url)] for url in coherex.input]`,
  })
  expect(ended.status, JSON.stringify(ended.error)).toBe('succeeded')
  return ended.result as [string, string][]
}

const doorOf = ({ canaries }: World) => `http://127.0.0.1:${canaries.door.port}/`

/** The same attempts once more, by programs that bring their own clients. */
export const networkByProxy: HostileCase[] = [
  ...reachCases(fetchByProxy).map((one) => ({
    ...one,
    id: `${one.id}-proxy`,
    title: `${one.title}, through the proxy`,
  })),
  {
    id: 'N02-tunnel',
    title: 'no tunnel leads inside, in any spelling, nor to ports of other services',
    async attack({ run, canaries, server }) {
      const { listenerPort, door } = canaries
      const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:7f00:1]', '0', 'localhost']
      const inside = ['10.0.0.1', '169.254.169.254', '[fe80::1]', '[fd00:ec2::254]', '[64:ff9b::7f00:1]', 'inside.test']
      const own = `127.0.0.1:${new URL(server.url).port}`
      const targets = [...hosts.map((host) => `${host}:${listenerPort}`), ...inside.map((host) => `${host}:443`), own]
      const odd = [
        `127.0.0.1:${door.port}@x`,
        `a@127.0.0.1:${listenerPort}`,
        `127.0.0.1`,
        `:${listenerPort}`,
        '192.88.98.1:22',
      ]
      const { result } = await run({
        language: 'python',
        network: { allow: targets.map((target) => `https://${target}/`) },
        input: [...targets, ...odd],
        code: `import coherex\n${speak}\n[speak(f"CONNECT {target} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")[0] for target in coherex.input]`,
      })
      for (const status of result as number[]) expect([400, 403, 502]).toContain(status)
    },
    async control({ run, canaries }) {
      const { result } = await run({
        language: 'python',
        network: { allow: [`https://127.0.0.1:${canaries.door.port}/`] },
        code: `import socket
client = socket.create_connection(("127.0.0.1", 61080), timeout=20)
client.sendall(b"CONNECT 127.0.0.1:${canaries.door.port} HTTP/1.1\\r\\n\\r\\n")
client.recv(1000).decode().split("\\r\\n")[0]`,
      })
      expect(result).toBe('HTTP/1.1 200 Connection established')
    },
  },
  {
    id: 'N08-proxy-b',
    title: 'a request that hides another one reaches nobody',
    async attack(world) {
      const door = doorOf(world)
      const hidden = `GET ${door}hidden HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n`
      const { result } = await world.run({
        language: 'python',
        network: { allow: [`${door}inside/`] },
        code: `${speak}
line, hidden = "POST ${door}inside/ HTTP/1.1\\r\\nHost: x\\r\\n", "${hidden}"
[speak(text)[0] for text in [
    line + "Content-Length: 6\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n" + hidden,
    line + f"Content-Length: 0\\r\\nContent-Length: {len(hidden)}\\r\\n\\r\\n" + hidden,
    line + "X: 1\\r\\n Transfer-Encoding: chunked\\r\\n\\r\\n" + hidden,
    line.replace("\\r", "") + "Content-Length: 0\\n\\n" + hidden,
    line + "Transfer-Encoding: chunked, identity\\r\\n\\r\\n0\\r\\n\\r\\n" + hidden,
]]`,
      })
      expect(result).toEqual([400, 400, 400, 400, 400])
      expect(world.canaries.door.requests()).not.toContain('/hidden')
    },
  },
  {
    id: 'N10-proxy',
    title: 'slow and endless answers end with the run, and their sockets with them',
    async attack(world) {
      const door = doorOf(world)
      const paths = ['/drip/proxy', '/endless/proxy', '/silent/proxy']
      const urls = paths.map((path) => `${door.slice(0, -1)}${path}`)
      const ended = await world.run({
        language: 'bash',
        network: { allow: [door] },
        limits: { timeoutMs: 5_000 },
        code: `${urls.map((url) => `curl -s --noproxy '' ${url} > /dev/null &`).join('\n')}\nsleep 20`,
      })
      expect(ended.error?.kind).toBe('timeout')
      expect(ended.requests.map(({ url }) => url).toSorted()).toEqual(urls)
      for (const { error } of ended.requests) expect(error).toBe('FETCH_FAILED')
      await eventually(
        () => world.canaries.door.open(paths),
        (open) => open === 0,
        15_000,
      )
    },
    async control({ run, canaries }) {
      const door = `http://127.0.0.1:${canaries.door.port}/`
      const ended = await run({ language: 'bash', network: { allow: [door] }, code: `curl -sf --noproxy '' ${door}` })
      expect(ended.requests).toMatchObject([{ method: 'GET', url: door, status: 200, error: null }])
    },
  },
  {
    id: 'R10-proxy',
    title: 'ten thousand connections, and requests packed as tightly as they go',
    async attack(world) {
      const door = doorOf(world)
      const ended = await world.run({
        language: 'python',
        network: { allow: [door] },
        limits: { timeoutMs: 150_000 },
        code: `import socket
held = []
for number in range(10_000):
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(("127.0.0.1", 61080))
    held.append(client)
    if len(held) >= 200:
        for old in held[:150]:
            old.close()
        del held[:150]
del held
request = b"GET http://example.com/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
last = b"GET http://example.com/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n"
for number in range(10):
    with socket.create_connection(("127.0.0.1", 61080), timeout=20) as client:
        try:
            client.sendall(request * (2000 if number % 2 else 90) + last)
            while client.recv(65536):
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass
"done"`,
      })
      expect(ended.result).toBe('done')
      expect(ended.requests.length).toBeLessThanOrEqual(1000)
      expect(ended.signs.map(({ kind }) => kind)).toContain('egress-refusals')
    },
  },
]
