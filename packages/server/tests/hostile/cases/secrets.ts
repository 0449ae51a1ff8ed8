import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { routes, type RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import type { HostileCase } from '../hostile-case.ts'
import type { World } from '../world.ts'
import { printed } from './namespace-escape.ts'

const bash = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'bash', code, ...more })
const python = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'python', code, ...more })

// no DSN, key, token or path of the host
const hostly =
  /postgres:\/\/|chx_\w{10}|coherex-data-|\/work\/|node_modules|\/src\/|\/[\w.-]+\.ts:\d+|node:internal|SELECT |INSERT |ECONN/

export const secrets: HostileCase[] = [
  {
    id: 'S01',
    title: 'a sweep of all that can be read finds no canary',
    async attack({ run, canaries, server }) {
      const sweep = bash(
        `env; for p in /proc/[0-9]*; do cat $p/environ $p/cmdline $p/maps $p/status $p/mountinfo; done 2>/dev/null | tr '\\0' ' '
cat ${canaries.filePath} /proc/${server.pid}/environ /proc/${server.pid}/cmdline 2>/dev/null; ls -la / /tmp /home /root /run /var /etc /opt /opt/coherex 2>/dev/null
grep -rIl CANARY / --exclude-dir=proc --exclude-dir=usr 2>/dev/null | head; echo done`,
        { limits: { timeoutMs: 120_000, outputBytes: 5_000_000 } },
      )
      const found = printed(await run(sweep))
      expect(found).toContain('done')
      expect(found).not.toMatch(/CANARY|DATABASE_URL/)
      const node = await run({
        language: 'node',
        code: `import fs from 'node:fs'\nexport default () => JSON.stringify([process.env, process.argv, process.execPath, process.report.getReport().environmentVariables, fs.readdirSync('/'), fs.readdirSync('/tmp')])`,
      })
      expect(String(node.result)).not.toMatch(/CANARY|DATABASE_URL|\/work\//)
    },
    async control({ run }) {
      const own = printed(
        await run(bash('env; cat own.txt', { env: { OWN_CANARY: 'seen' }, files: { 'own.txt': 'own file' } })),
      )
      expect(own).toContain('OWN_CANARY=seen')
      expect(own).toContain('own file')
    },
  },
  {
    id: 'S01-b',
    title: 'memory of the guest’s own process and of an isolate holds nothing of the server',
    async attack({ run }) {
      const { result } = await run(
        python(
          `import re
needle = ('CAN' + 'ARY-').encode()
hits = 0
for line in open('/proc/self/maps'):
    start, end, mode = re.match(r'(\\w+)-(\\w+) (\\S+)', line).groups()
    if 'r' not in mode or 'vsyscall' in line or 'vvar' in line: continue
    try:
        with open('/proc/self/mem', 'rb') as memory:
            memory.seek(int(start, 16)); hits += len(re.findall(needle + rb'[A-Z]+-[0-9a-f]{24}', memory.read(int(end, 16) - int(start, 16))))
    except (OSError, ValueError, OverflowError): pass
hits`,
          { limits: { timeoutMs: 120_000 } },
        ),
      )
      expect(result).toBe(0)
      const isolate = await run({
        language: 'javascript',
        code: `import fs from 'node:fs'
const seen = new Set(), found = []
const walk = (value, depth) => {
  if (typeof value === 'string') found.push(value)
  if (depth > 6 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) { found.push(String(key)); try { walk(value[key], depth + 1) } catch (error) { found.push(String(error.stack)) } }
  walk(Object.getPrototypeOf(value), depth + 1)
}
export default async (env) => { walk(globalThis, 0); walk(env, 0); walk(import.meta, 0); walk(fs, 0); walk(await env.ECHO.info(), 0); return found.join('\\n').slice(0, 1e6) }`,
      })
      expect(String(isolate.result).length).toBeGreaterThan(1000)
      expect(String(isolate.result)).not.toMatch(/isolated-vm|node:internal|\/app\/|\/work\/|DATABASE_URL/)
    },
  },
  {
    id: 'S01-c',
    title: 'another team’s runs, files and secrets are not there for this one',
    async attack({ victim, send, run }) {
      const { items } = await victim(routes.runs.list, { query: {} })
      for (const { id } of items.slice(0, 3)) {
        for (const path of ['', '/program', '/events', '/files/kept.txt'])
          expect((await send(`/api/v1/runs/${id}${path}`)).status).toBe(404)
        expect(
          (
            await send(`/api/v1/runs/${id}/cancel`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: '{}',
            })
          ).status,
        ).toBe(404)
      }
      expect((await send('/api/v1/runs?search=CANARY')).text).not.toContain('ROW')
      const before = printed(
        await run(
          bash('ls -A /tmp $HOME; cat /tmp/left 2>/dev/null; echo left > /tmp/left; echo left > $HOME/left', {
            keep: [],
          }),
        ),
      )
      expect(before).not.toContain('left')
      expect(printed(await run(bash('ls -A /tmp $HOME', { keep: [] })))).not.toContain('left')
    },
  },
  {
    id: 'S02',
    title: 'errors of the API name nothing of the host',
    async attack({ send }) {
      const post = (body: string, headers = {}) =>
        send('/api/v1/runs', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
      const answers = [
        await post('{'),
        await post('{"language":"cobol","code":1}'),
        await post(
          JSON.stringify({
            language: 'python',
            code: 'a\0b\ud800',
            input: { 'a\0': '\ud800\0' },
            env: { A: 'x\0y' },
            stdin: '\0',
            files: { 'x.txt': '\0\ud800' },
          }),
        ),
        await post('{"language":"bash","code":"true"}', { 'idempotency-key': 'x'.repeat(5000) }),
        await send('/api/v1/runs?search=%00&limit=1e9'),
        await send('/api/v1/runs?search=%00'),
        await send('/api/v1/runs?cursor=AAAA'),
        await send('/api/v1/runs?cursor=%00'),
        await send('/api/v1/runs?limit=-1'),
        await send(`/api/v1/runs?createdBy=${"'; DROP TABLE x; --"}`),
        await send('/api/v1/runs/run_%00'),
        await send('/api/v1/nothing/../../etc'),
        await send('/api/v1/runs', { method: 'DELETE' }),
        await send('/api/v1/runs', { headers: { authorization: `Bearer chx_${'x'.repeat(40)}` } }),
        await send('/api/v1/runs/run_00000000000000000000000000/events', { headers: { 'last-event-id': '1e9' } }),
      ]
      for (const { status, text } of answers) {
        expect([status >= 500, text.slice(0, 200)]).toEqual([false, text.slice(0, 200)])
        expect(text).not.toMatch(hostly)
      }
    },
    async control({ send }) {
      expect((await send('/api/v1/runs?limit=1')).status).toBe(200)
    },
  },
  {
    id: 'S02-b',
    title: 'errors and stacks of guests name nothing of the host',
    async attack({ run }) {
      for (const request of [
        { language: 'javascript', code: 'null.x' },
        { language: 'typescript', code: 'const a: number = ' },
        { language: 'javascript', code: 'export default (env) => env.FILES.read("none")' },
        { language: 'javascript', code: 'import "./missing.js"' },
        {
          language: 'javascript',
          code: 'export default async (env) => { throw Object.assign(new Error("x"), { stack: (await env.FILES.read("n").catch((e) => e)).stack }) }',
        },
        { language: 'node', code: 'null.x' },
        { language: 'node', code: 'import "./missing.mjs"' },
        { language: 'python', code: 'import coherex\ncoherex.FILES.read("none")' },
        { language: 'python', code: 'import missing_module' },
        { language: 'bash', code: 'nothing-here; exit 3' },
        { language: 'typescript', code: 'import x from "lodash-es/none"\nlet a: string = 1', typecheck: true },
      ] as RunRequest[]) {
        const ended = await run(request)
        expect(ended.status).toBe('failed')
        expect(JSON.stringify(ended.error)).not.toMatch(hostly)
        expect(printed(ended)).not.toMatch(hostly)
      }
    },
  },
  {
    id: 'S02-c',
    title: 'names and texts that no database keeps are told, kept and listed all the same',
    async attack({ run, send }) {
      for (const request of [
        { language: 'javascript', code: '({ "a\\0b": 1, "\\ud800": 2, "\\0": { "\\0": 3 } })' },
        { language: 'javascript', code: 'display({ "text/\\0": "x", "\\ud800": "y", "text/plain": "z\\0" }); 1' },
        { language: 'javascript', code: 'console.log("\\0", "\\ud800"); 1e400' },
        { language: 'python', code: '{"a\\0b": 1, "\\ud800": 2, (1, 2): float("inf")}' },
        python('10**5000'),
      ] as RunRequest[]) {
        const ended = await run(request)
        expect(ended.status).toBe('succeeded')
        const { status, text } = await send(`/api/v1/runs/${ended.id}`)
        expect([status, JSON.parse(text)]).toEqual([200, ended])
      }
      expect((await send('/api/v1/runs?limit=20')).status).toBe(200)
    },
  },
  {
    id: 'S04',
    title: 'crashes leave no core and no file',
    async attack({ run }) {
      const before = readdirSync('/tmp').filter((name) => name.startsWith('core')).length
      const ended = await run(
        python(
          `import os, signal, resource, ctypes\nprint(resource.getrlimit(resource.RLIMIT_CORE))\nif os.fork() == 0: os.kill(os.getpid(), signal.SIGABRT)\nos.wait()\nprint(os.listdir('.'), os.listdir('/tmp'))\nctypes.string_at(0)`,
        ),
      )
      expect(ended.status).toBe('failed')
      expect(printed(ended)).toMatch(/\(0, 0\)/)
      expect(printed(ended)).not.toMatch(/core/)
      expect(ended.files).toEqual([])
      expect(readdirSync('/tmp').filter((name) => name.startsWith('core')).length).toBe(before)
    },
    async control({ run }) {
      expect(
        (
          await run(
            python(
              `import os, signal\nchild = os.fork()\nif child == 0: os.kill(os.getpid(), signal.SIGABRT)\nos.WTERMSIG(os.waitpid(child, 0)[1])`,
            ),
          )
        ).result,
      ).toBe(6)
    },
  },
  {
    id: 'S04-b',
    title: 'limits on cores and files cannot be raised, and other crashes are verdicts too',
    async attack({ run }) {
      const { result } = await run(
        python(`import resource
out = []
for name in ['RLIMIT_CORE', 'RLIMIT_NOFILE', 'RLIMIT_FSIZE', 'RLIMIT_NPROC', 'RLIMIT_MEMLOCK', 'RLIMIT_MSGQUEUE']:
    try: resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)); out.append(name)
    except (ValueError, OSError): pass
out`),
      )
      expect(result).toEqual([])
      for (const request of [
        bash('kill -SEGV $$'),
        bash('ulimit -c unlimited 2>/dev/null; kill -ABRT $$'),
        { language: 'node', code: 'process.abort()' } as RunRequest,
        python('import os\nos.abort()'),
        python('import os, signal\nos.kill(os.getpid(), signal.SIGSYS)'),
      ]) {
        const ended = await run(request)
        expect(ended.status).toBe('failed')
        expect(ended.files).toEqual([])
      }
    },
  },
  {
    id: 'S05',
    title: 'pages and what they load hold no key and nothing of the host',
    async attack(world) {
      const { texts } = await crawl(world)
      expect(texts.size).toBeGreaterThan(50)
      for (const [path, text] of texts) expect([path, secretsIn(text)]).toEqual([path, []])
    },
    async control({ run, server }) {
      const planted = ['postgres://a:b@c/d', 'chx_0123456789', 'sk-ant-0123456789abcdef', server.url, project]
      const shown = printed(await run(bash(`printf '%s\\n' '${planted.join("' '")}'`)))
      expect(secretsIn(shown)).toHaveLength(planted.length)
    },
  },
  {
    id: 'S05-b',
    title: 'no source, source map, setting or note of the build is served beside them',
    async attack(world) {
      const { texts } = await crawl(world)
      const scripts = [...texts.keys()].filter((path) => path.endsWith('.js'))
      const beside = [
        '/.env',
        '/.git/config',
        '/.sources',
        '/.vite/manifest.json',
        '/package.json',
        '/src/main.tsx',
        '/vite.config.ts',
        '/..%2fpackage.json',
        '/assets/..%2f..%2fpackage.json',
        '/assets/%2e%2e/%2e%2e/%2e%2e/server/src/main.ts',
        '/assets/..%5c..%5cpackage.json',
        '//etc/passwd',
        '/%2fetc%2fpasswd',
        '/assets/',
      ]
      for (const path of [...beside, ...scripts.map((path) => `${path}.map`)])
        expect([path, (await world.send(path)).status]).toEqual([path, 404])
      for (const [path, text] of texts) expect([path, /sourceMappingURL=\w/.test(text)]).toEqual([path, false])
    },
  },
]

const project = fileURLToPath(new URL('../../../../..', import.meta.url)).replace(/\/$/, '')

// keys by their shapes, addresses with a password or inside, and where this is installed
const shapes = [
  /\bpostgres(?:ql)?:\/\/[^\s"'`]+/g,
  /\bchx_\w{10,}/g,
  /\bsk-[\w-]{16,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_\w{20,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  /\bhttps?:\/\/(?:127\.|10\.|192\.168\.|169\.254\.|localhost:\d)[^\s"'`]*/g,
]

function secretsIn(text: string): string[] {
  return [...shapes.flatMap((shape) => text.match(shape) ?? []), ...(text.includes(project) ? [project] : [])]
}

/** Every page that is made or served, and every script and style that one of them leads to. */
async function crawl({ send }: World): Promise<{ texts: Map<string, string> }> {
  const texts = new Map<string, string>()
  const left = [
    '/',
    '/sign-in',
    '/settings',
    `/link/${'x'.repeat(40)}`,
    '/nothing/here',
    '/api/docs',
    '/api/v1/openapi.json',
  ]
  for (let path = left.pop(); path; path = left.pop()) {
    if (texts.has(path)) continue
    const { status, text } = await send(path, { headers: { accept: 'text/html,*/*' } })
    expect([path, status]).toEqual([path, 200])
    texts.set(path, text)
    if (path.startsWith('/api/')) continue
    for (const [, name] of text.matchAll(/["'`(](?:\.\/|\/?assets\/)([\w.-]+-[\w-]{8}\.(?:js|css))["'`)]/g))
      left.push(`/assets/${name}`)
    for (const [, name] of text.matchAll(/(?:src|href)="(\/[\w.-]+\.\w+)"/g)) if (name) left.push(name)
  }
  return { texts }
}
