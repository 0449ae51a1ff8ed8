import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import { createNetworkPlaces, type NetworkPlaces } from '../../../tests/harness/network-places.ts'
import { createEgress, createProxy, type Egress, type EgressSign, teamRules } from '../../egress/index.ts'
import { type Ask, createFixture, type Fixture, type Told } from './process-fixture.ts'

let fixture: Fixture
let places: NetworkPlaces
let egress: Egress

beforeAll(async () => {
  // names that only the guard can resolve
  places = await createNetworkPlaces('127.0.0.1', { plain: 'packages.test', secure: 'secure.test' })
  egress = createEgress({
    allowPrivate: [
      { host: 'packages.test', port: places.plainPort },
      { host: 'secure.test', port: places.securePort },
    ],
    resolveHost: async (host) => (host.endsWith('.test') ? ['127.0.0.1'] : []),
  })
  fixture = await createFixture(0x700c0000 + (process.pid % 100) * 1000)
  await fixture.runtime.warm()
})
afterAll(async () => {
  await fixture.close()
  await places.close()
})

/** Runs a program that may reach `allow`, and returns what it did and what was logged of it. */
async function reach(language: 'python' | 'bash' | 'node', code: string, allow: string[], ask: Ask = {}) {
  const egressSigns: EgressSign[] = []
  const caller = egress.outbound({ rules: teamRules({ allow }), onSign: (sign) => egressSigns.push(sign) })
  const network = createProxy(caller)
  const told: Told = await fixture.run(language, code, { ...ask, network })
  await network.close()
  const log = caller.log().map(({ method, url, status, error }) => ({ method, url, status, error }))
  return {
    ...told,
    log,
    entries: caller.log(),
    egressSigns,
    said: told.stdout + told.stderr + JSON.stringify(told.error),
  }
}

describe('clients of a program reach what was granted', () => {
  test('[process.23] curl gets a page and posts a body, and the log tells each request', async () => {
    const { stdout, log, error } = await reach(
      'bash',
      `set -e
curl -sS ${places.plain}/page; echo
head -c 3000000 /dev/zero | curl -sS --data-binary @- ${places.plain}/echo; echo
curl -sS ${places.plain}/large | wc -c`,
      [`${places.plain}/`],
    )
    expect(error).toBeUndefined()
    expect(stdout).toBe('hello from /page\ngot 3000000\n20000000\n')
    expect(log).toEqual([
      { method: 'GET', url: `${places.plain}/page`, status: 200, error: null },
      { method: 'POST', url: `${places.plain}/echo`, status: 200, error: null },
      { method: 'GET', url: `${places.plain}/large`, status: 200, error: null },
    ])
  })

  test('TLS goes through a tunnel: curl, Python and Node check the certificate themselves', async () => {
    const files = { 'ca.pem': places.certificate }
    const allow = [`${places.secure}/only/this/path`]
    const curl = await reach('bash', `curl -sS --cacert ca.pem ${places.secure}/anything`, allow, { files })
    expect(curl.stdout).toBe('hello from /anything')
    expect(curl.log).toEqual([{ method: 'CONNECT', url: places.secure, status: null, error: null }])
    expect(curl.entries[0]?.bytes).toBeGreaterThan(500)

    const distrusting = await reach('bash', `curl -sS ${places.secure}/`, allow)
    expect(distrusting.stderr).toContain('certificate')

    const python = await reach(
      'python',
      `import ssl, urllib.request
context = ssl.create_default_context(cafile="ca.pem")
urllib.request.urlopen("${places.secure}/python", context=context).read().decode()`,
      allow,
      { files },
    )
    expect(python.result).toBe('hello from /python')

    const node = await reach(
      'node',
      `export default async () => (await fetch("${places.secure}/node")).text()`,
      allow,
      {
        files,
        env: { NODE_EXTRA_CA_CERTS: '/home/guest/ca.pem' },
      },
    )
    expect(node.result).toBe('hello from /node')
  })

  test('requests and urllib follow the environment', async () => {
    const { result } = await reach(
      'python',
      `import urllib.request
try:
    import requests
except ImportError:
    from pip._vendor import requests
with requests.Session() as session:
    answers = [session.get("${places.plain}/a").text, session.post("${places.plain}/echo", data=b"12345").text]
[*answers, urllib.request.urlopen("${places.plain}/b").read().decode()]`,
      [`${places.plain}/`],
    )
    expect(result).toEqual(['hello from /a', 'got 5', 'hello from /b'])
  })

  test('pip installs a package, and the program imports it without a restart', async () => {
    const { result, error, stderr, files } = await reach(
      'python',
      `import subprocess, sys
subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--index-url", "${places.plain}/simple/",
                "--trusted-host", "packages.test", "tinypkg"], check=True)
import tinypkg
[tinypkg.answer(), subprocess.run(["tiny"], capture_output=True, text=True).stdout]`,
      [`${places.plain}/simple/`, `${places.plain}/wheels/`],
      { limits: { timeoutMs: 60_000, cpuMs: 60_000 } },
    )
    expect(error, stderr).toBeUndefined()
    expect(result).toEqual([42, 'tiny 42\n'])
    expect(files).toEqual([])
  })

  test('git clones over smart HTTP', async () => {
    const { stdout, stderr, log } = await reach(
      'bash',
      `git clone -q ${places.plain}/git/tiny.git /tmp/tiny && cat /tmp/tiny/readme.txt && git -C /tmp/tiny log --format=%s`,
      [`${places.plain}/git/`],
    )
    expect(stdout, stderr).toBe('cloned through the proxy\nfirst\n')
    expect(log.map(({ method }) => method)).toContain('POST')
  })

  test('Node’s fetch and http follow the environment', async () => {
    const { result } = await reach(
      'node',
      `import { get } from 'node:http'
export default async () => {
  const fetched = await (await fetch('${places.plain}/fetch')).text()
  const got = await new Promise((resolve) => get('${places.plain}/http', async (response) => {
    let text = ''
    for await (const chunk of response) text += chunk
    resolve(text)
  }))
  return [fetched, got]
}`,
      [`${places.plain}/`],
    )
    expect(result).toEqual(['hello from /fetch', 'hello from /http'])
  })

  test('what a program starts of its own on loopback stays direct', async () => {
    const { result, log } = await reach(
      'python',
      `import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").status`,
      [`${places.plain}/`],
    )
    expect(result).toBe(200)
    expect(log).toEqual([])
  })
})

describe('a sandbox that lives on', () => {
  test('[keeper.5] has the same way out in all of its sessions and processes, and what pip installs stays', async () => {
    const caller = egress.outbound({ rules: teamRules({ allow: [`${places.plain}/`] }) })
    const network = createProxy(caller)
    const limits = { memoryMb: 512, processes: 64, openFiles: 256, diskMb: 64, inodes: 10_000 }
    const sandbox = await fixture.runtime.open({ limits, domain: 'test', env: {}, network })
    const cell = async (language: 'python' | 'bash', code: string) => {
      let text = ''
      const outcome = await sandbox.runCell(
        { context: language, language, code },
        {
          limits: { timeoutMs: 60_000, outputBytes: 100_000 },
          signal: new AbortController().signal,
          capabilities: {},
          onStart() {},
          onOutput: (line) => void (text += 'text' in line ? line.text : ''),
        },
      )
      expect(outcome.error, text).toBeUndefined()
      return text
    }
    const index = `--index-url ${places.plain}/simple/ --trusted-host packages.test`
    expect(await cell('bash', `curl -sS ${places.plain}/from-bash; pip install -q ${index} tinypkg && tiny`)).toContain(
      'hello from /from-bashtiny 42',
    )
    expect(await cell('python', 'import tinypkg\nprint(tinypkg.answer())')).toContain('42')
    expect(
      await cell('bash', `curl -s -o /dev/null -w '%{http_code}' http://other.test:${places.plainPort}/`),
    ).toContain('403')
    const process = await sandbox.processes.start({ command: `curl -sS ${places.plain}/from-process` })
    await process.exited
    expect(process.recentOutput).toEqual([{ stream: 'stdout', text: 'hello from /from-process' }])
    await sandbox.close()
    await network.close()
    expect(caller.log().map(({ url }) => url)).toEqual(
      expect.arrayContaining([`${places.plain}/from-bash`, `${places.plain}/from-process`]),
    )
  })
})

describe('there is no other way out', () => {
  test('hosts, ports, paths and addresses that were not granted, in every spelling', async () => {
    const before = places.seen.length
    const urls = [
      `http://other.test:${places.plainPort}/`,
      `http://packages.test:${places.canaryPort}/`,
      `${places.plain}/elsewhere`,
      `${places.plain}/git/%2e%2e/elsewhere`,
      `${places.plain}/git%2f..%2felsewhere`,
      ...['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '169.254.169.254'].map(
        (host) => `http://${host}:${places.canaryPort}/`,
      ),
      `https://secure.test:${places.securePort}/`,
      `https://packages.test:${places.plainPort}/`,
      'https://packages.test:22/',
      'ftp://packages.test/',
    ]
    const { stdout, egressSigns } = await reach(
      'bash',
      `${urls.map((url) => `curl -s -o /dev/null -m 5 --path-as-is --noproxy '' -w '%{http_code}/%{http_connect} ' '${url}'`).join('\n')}
curl -sS -m 5 ${places.plain}/elsewhere
for try in {1..10}; do curl -s -o /dev/null ${places.plain}/elsewhere; done`,
      [`${places.plain}/git/`],
    )
    const [codes = '', said = ''] = stdout.split(/ (?=Cannot)/)
    expect(codes.trim().split(' ')).toHaveLength(urls.length)
    for (const code of codes.trim().split(' ')) expect(code).toMatch(/403|000\/000/)
    expect(said).toBe(`Cannot fetch "${places.plain}/elsewhere": it is not in the allow-list\n`)
    expect(places.seen).toHaveLength(before)
    expect(places.canaryHits()).toBe(0)
    expect(egressSigns).toMatchObject([{ detail: '20 requests were refused' }])
  })

  test('a redirect to a host that was not granted', async () => {
    const { stdout, log } = await reach(
      'bash',
      `curl -sS -L -o /dev/null -w '%{http_code} %{num_redirects}' ${places.plain}/away`,
      [`${places.plain}/`],
    )
    expect(stdout).toBe('403 1')
    expect(log.map(({ error }) => error)).toEqual([null, 'URL_NOT_ALLOWED'])
  })

  test('past the proxy, by name, by datagram and by family', async () => {
    const { result } = await reach(
      'python',
      `import socket
def attempt(act):
    try:
        act()
        return "reached"
    except OSError as error:
        return type(error).__name__
def tcp(address, family=socket.AF_INET):
    with socket.socket(family) as client:
        client.settimeout(2)
        client.connect(address)
def udp(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(b"x", address)
[attempt(lambda: tcp(("127.0.0.1", ${places.plainPort}))),
 attempt(lambda: tcp(("192.0.2.1", 53))), attempt(lambda: tcp(("::1", ${places.plainPort}), socket.AF_INET6)),
 attempt(lambda: tcp(("169.254.169.254", 80))), attempt(lambda: udp(("192.0.2.1", 53))),
 attempt(lambda: socket.getaddrinfo("packages.test", 80)), attempt(lambda: socket.socket(socket.AF_NETLINK)),
 attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))]`,
      [`${places.plain}/`],
    )
    expect(result).toEqual([
      ...['ConnectionRefusedError', 'OSError', 'ConnectionRefusedError', 'OSError', 'OSError'],
      ...['gaierror', 'PermissionError', 'PermissionError'],
    ])
  })

  test('[process.23] without a grant there is no proxy and no variable that names one', async () => {
    const { stdout } = await fixture.bash('env | grep -ic proxy; curl -s -m 2 http://127.0.0.1:61080/; echo $?')
    expect(stdout).toBe('0\n7\n')
  })
})

describe('a program that attacks its way out', () => {
  test('opens 10,000 connections: it holds up itself, and neither the server nor the next run', async () => {
    const turns = watchTicks()
    const { result } = await reach(
      'python',
      `import socket, urllib.request
held, opened = [], 0
for number in range(10_000):
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(("127.0.0.1", 61080))
    opened += 1
    held.append(client)
    if len(held) >= 200:
        for old in held[:150]:
            old.close()
        del held[:150]
for client in held:
    client.close()
[opened, urllib.request.urlopen("${places.plain}/after").read().decode()]`,
      [`${places.plain}/`],
    )
    expect(result).toEqual([10_000, 'hello from /after'])
    expect(turns.stop()).toBeLessThan(250)
    expect((await fixture.python('1 + 1')).result).toBe(2)
  })

  test('ends the process that carries its connections: it has no way out any more, and ends as usual', async () => {
    const { result, signs } = await reach(
      'python',
      `import os, signal, time, urllib.request
carriers = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and int(pid) not in (1, os.getpid(), os.getppid())]
for pid in carriers:
    os.kill(pid, signal.SIGKILL)
try:
    urllib.request.urlopen("${places.plain}/", timeout=5)
    answer = "reached"
except OSError:
    answer = "failed"
[len(carriers), answer]`,
      [`${places.plain}/`],
    )
    expect(result).toEqual([1, 'failed'])
    expect(signs).toEqual([])
  })

  test('waits for children and finds none of ours, and holds no descriptor of the link', async () => {
    const { result } = await reach(
      'python',
      `import os
try:
    os.wait()
    waited = "a child"
except ChildProcessError:
    waited = "none"
sockets = [os.readlink(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd") if int(number) != 3 and os.path.exists(f"/proc/self/fd/{number}")]
[waited, [name for name in sockets if name.startswith("socket:")]]`,
      [`${places.plain}/`],
    )
    expect(result).toEqual(['none', []])
  })

  test('a download that is under way ends with the run', async () => {
    const stop = new AbortController()
    const { error, entries } = await reach(
      'python',
      `import socket, time
client = socket.create_connection(("127.0.0.1", 61080))
client.sendall(b"GET ${places.plain}/large HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
client.recv(10)
print("it comes", flush=True)
time.sleep(60)`,
      [`${places.plain}/`],
      { signal: stop.signal, onOutput: () => stop.abort() },
    )
    expect(error?.kind).toBe('cancelled')
    expect(entries).toMatchObject([{ method: 'GET', status: 200, error: 'FETCH_FAILED' }])
  })
})
