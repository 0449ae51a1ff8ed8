import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { testCertificate, testKey } from '../../src/egress/test-certificate.ts'

const run = promisify(execFile)

/** A package index, a git server and pages on an address of loopback, known to programs by `names` or by the address. */
export async function createNetworkPlaces(address: string, names = { plain: address, secure: address }) {
  const directory = mkdtempSync(join(tmpdir(), 'coherex-places-'))
  const wheel = await buildWheel(directory)
  await buildRepository(directory)
  const seen: string[] = []
  let canaryHits = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    seen.push(`${request.method} ${path}`)
    if (path.startsWith('/git/')) return answerGit(directory, request, response)
    if (path === '/simple/tinypkg/') {
      return response.setHeader('content-type', 'text/html').end(`<a href="/wheels/${wheel.name}">${wheel.name}</a>`)
    }
    if (path === `/wheels/${wheel.name}`) return response.end(wheel.bytes)
    if (path === '/away') return response.writeHead(302, { location: `http://other.test:${plainPort}/` }).end()
    if (path === '/silent') return undefined
    if (path === '/large') return response.end(Buffer.alloc(20_000_000, 'x'))
    if (path === '/echo') return response.end(`got ${(await text(request)).length}`)
    return response.end(`hello from ${path}`)
  }
  const plain = createServer((request, response) => void answer(request, response))
  const secure = createTlsServer({ cert: testCertificate, key: testKey }, (request, response) => {
    void answer(request, response)
  })
  const canary = createTcpServer((socket) => {
    canaryHits++
    socket.destroy()
  })
  const plainPort = await listen(plain, address)
  const securePort = await listen(secure, address)
  const canaryPort = await listen(canary, address)

  return {
    plain: `http://${names.plain}:${plainPort}`,
    secure: `https://${names.secure}:${securePort}`,
    ...{ plainPort, securePort, canaryPort, certificate: testCertificate },
    /** Requests that arrived, as `METHOD /path`. */
    seen,
    canaryHits: () => canaryHits,
    async close() {
      for (const server of [plain, secure]) server.closeAllConnections()
      await Promise.all([plain, secure, canary].map((server) => new Promise((resolve) => server.close(resolve))))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type NetworkPlaces = Awaited<ReturnType<typeof createNetworkPlaces>>

async function listen(server: Server, address: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return (server.address() as AddressInfo).port
}

async function buildWheel(directory: string): Promise<{ name: string; bytes: Buffer }> {
  const name = 'tinypkg-1.0-py3-none-any.whl'
  const script = `
import base64, hashlib, sys, zipfile
files = {
    "tinypkg/__init__.py": "def answer():\\n    return 42\\n\\ndef main():\\n    print('tiny', answer())\\n",
    "tinypkg-1.0.dist-info/METADATA": "Metadata-Version: 2.1\\nName: tinypkg\\nVersion: 1.0\\n",
    "tinypkg-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "tinypkg-1.0.dist-info/entry_points.txt": "[console_scripts]\\ntiny = tinypkg:main\\n",
}
record = "".join(
    f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data.encode()).digest()).decode().rstrip('=')},{len(data)}\\n"
    for path, data in files.items()
)
with zipfile.ZipFile(sys.stdout.buffer, "w") as wheel:
    for path, data in {**files, "tinypkg-1.0.dist-info/RECORD": record + "tinypkg-1.0.dist-info/RECORD,,\\n"}.items():
        wheel.writestr(path, data)
`
  const built = await run('/usr/bin/python3', ['-I', '-c', script], { encoding: 'buffer', cwd: directory })
  return { name, bytes: built.stdout }
}

async function buildRepository(directory: string): Promise<void> {
  const work = join(directory, 'work')
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
  const git = (...args: string[]) => run('git', [...identity, ...args], { cwd: directory })
  await git('init', '-q', '-b', 'main', work)
  writeFileSync(join(work, 'readme.txt'), 'cloned through the proxy\n')
  await git('-C', work, 'add', '.')
  await git('-C', work, 'commit', '-q', '-m', 'first')
  await git('clone', '-q', '--bare', work, join(directory, 'tiny.git'))
}

/** Smart HTTP, by git's own program. */
async function answerGit(directory: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stdout: place } = await run('git', ['--exec-path'])
  const url = new URL(request.url ?? '', 'http://packages.test')
  const backend = spawn(join(place.trim(), 'git-http-backend'), {
    env: {
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH: process.env['PATH'] ?? '',
      PATH_INFO: url.pathname.replace(/^\/git/, ''),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(backend.stdin)
  const chunks: Buffer[] = []
  for await (const chunk of backend.stdout as AsyncIterable<Buffer>) chunks.push(chunk)
  const all = Buffer.concat(chunks)
  const end = all.indexOf('\r\n\r\n')
  for (const line of all.subarray(0, end).toString().split('\r\n')) {
    const [name = '', value = ''] = line.split(': ')
    if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
    else response.setHeader(name, value)
  }
  response.end(all.subarray(end + 4))
}
