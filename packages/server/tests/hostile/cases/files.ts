import type { RunRequest } from '@coherex/contract'
import { expect } from 'vitest'
import { isLong } from '../../harness/long-tests.ts'
import type { HostileCase } from '../hostile-case.ts'
import { printed } from './namespace-escape.ts'

const bash = (code: string, more: Partial<RunRequest> = {}): RunRequest => ({ language: 'bash', code, ...more })
const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const climbing = [
  '../../etc/passwd',
  '/etc/passwd',
  '..',
  '.',
  '',
  'a/../../b',
  'a//b',
  'a/./b',
  '..\\..\\x',
  'a\\..\\b',
  'C:\\x',
  'a\0b',
  'a\nb',
  `${'a/'.repeat(600)}x`,
  'x'.repeat(4096),
  `${'x'.repeat(256)}`,
  'a/',
  './a',
]

export const files: HostileCase[] = [
  {
    id: 'F01',
    title: 'paths that climb are refused with the field’s name, in files and as entry',
    async attack({ send }) {
      for (const path of climbing) {
        const given = await send('/api/v1/runs', json({ language: 'bash', code: 'true', files: { [path]: 'x' } }))
        expect([path, given.status]).toEqual([path, 400])
        expect(given.text).toContain('files')
        const entry = await send('/api/v1/runs', json({ language: 'bash', code: 'true', entry: path }))
        expect([path, entry.status]).toEqual([path, 400])
        expect(entry.text).toContain('entry')
      }
    },
    async control({ run }) {
      const ended = await run(
        bash('cat in/deep/given.txt', { files: { 'in/deep/given.txt': 'given' }, entry: 'start/here.sh' }),
      )
      expect(printed(ended)).toBe('given')
    },
  },
  {
    id: 'F01-b',
    title: 'no path of a download leads out of the run',
    async attack({ run, send }) {
      const { id } = await run(bash('echo x > kept.txt'))
      for (const path of [
        '..%2f..%2fetc%2fpasswd',
        '%252e%252e%252fetc%252fpasswd',
        '..%5c..%5cetc',
        '%2fetc%2fpasswd',
        'kept.txt%00.png',
        '%c0%ae%c0%ae/x',
        '....//kept.txt',
        'kept.txt/..',
        '%E2%80%A5/kept.txt',
        `${'a'.repeat(4000)}`,
        '%00',
        '%ff',
      ]) {
        const { status, text } = await send(`/api/v1/runs/${id}/files/${path}`)
        expect([path, [400, 404].includes(status)]).toEqual([path, true])
        expect(text).not.toContain('root:')
      }
      for (const other of ['run_../../x', '..%2f..', '%00', 'run_00000000000000000000000000'])
        expect([400, 404]).toContain((await send(`/api/v1/runs/${other}/files/kept.txt`)).status)
      expect((await send(`/api/v1/runs/${id}/files/kept.txt`)).text).toBe('x\n')
    },
  },
  {
    id: 'F01-c',
    title: 'patterns to keep, FILES, node:fs and the shell stay inside',
    async attack({ run, canaries }) {
      const kept = await run(bash('echo x > a.txt', { keep: ['../../**', '/etc/**', `${canaries.filePath}`, '/**'] }))
      for (const { path } of kept.files) expect(path).toBe('a.txt')
      const { result, files: written } = await run({
        language: 'javascript',
        code: `import fs from 'node:fs'
export default async (env) => { const out = []
for (const path of ${JSON.stringify([...climbing.slice(0, 2), canaries.filePath, '../../../../tmp/x', 'a\0b', '..\\x'])}) {
  for (const act of [() => env.FILES.read(path), () => env.BASH.exec('cat ' + JSON.stringify(path)).then((r) => r.exitCode === 0 ? r.stdout : Promise.reject(new Error('failed'))), async () => fs.readFileSync(path, 'utf8')]) out.push(await act().then((text) => 'read ' + text, () => 'refused'))
}
await env.FILES.write('/absolute.txt', 'x'); await env.BASH.exec('ln -s /etc/passwd link; echo y > /etc/passwd2').catch(() => 0)
return out }`,
      })
      expect(new Set(result as string[])).toEqual(new Set(['refused']))
      for (const { path } of written) expect(path).not.toMatch(/^\/|\.\./)
    },
  },
  {
    id: 'F01-d',
    title: 'a program whose name looks like an option is run, not taken for one',
    async attack({ run }) {
      for (const entry of ['-c', '--version']) {
        const [shell, python, node] = await Promise.all([
          run(bash('echo own', { entry })),
          run({ language: 'python', code: 'print("own")', entry }),
          run({ language: 'node', code: 'console.log("own")', entry }),
        ])
        expect([entry, printed(shell), printed(python), printed(node).trim()]).toEqual([entry, 'own\n', 'own\n', 'own'])
      }
    },
  },
  {
    id: 'F01-e',
    title: 'files and variables that steer an interpreter steer the program’s own at most',
    async attack({ run }) {
      const shout = 'print("hijacked")'
      const names =
        'sitecustomize usercustomize json struct socket os io signal traceback ast coherex driver channel wire'
      const modules = Object.fromEntries(
        [...names.split(' '), 'encodings/__init__'].map((name) => [`${name}.py`, shout]),
      )
      const env = {
        ...{ LD_PRELOAD: './x.so', LD_AUDIT: './x.so', PYTHONHOME: '/home/guest', PYTHONPATH: '/home/guest' },
        ...{ PYTHONINSPECT: '1', NODE_OPTIONS: '--inspect', BASH_ENV: 'x.sh', SHELLOPTS: 'xtrace', PATH: '/none' },
        ...{ TMPDIR: '/proc', GCONV_PATH: '.', COHEREX_INPUT: 'forged', UV_THREADPOOL_SIZE: '100000', HOME: '/' },
      }
      const node = {
        'package.json': '{"type":"commonjs","exports":"./x.cjs"}',
        'x.cjs': 'console.log("hijacked")',
        'node_modules/coherex/index.js': 'console.log("hijacked")',
        'node_modules/coherex/package.json': '{"main":"index.js"}',
      }
      const profile = { '.bashrc': 'echo hijacked', '.profile': 'echo hijacked', '.bash_profile': 'echo hijacked' }
      const [shadowed, steered, package_, isolate, shell] = await Promise.all([
        run({ language: 'python', code: 'print("own")\n7', files: modules }),
        run({ language: 'python', code: 'print("own")\n7', files: modules, env }),
        run({ language: 'node', code: 'import "coherex"\nconsole.log("own")', files: node }),
        run({ language: 'javascript', code: 'console.log("own"); 7', files: node, env }),
        run(bash('echo own', { files: profile })),
      ])
      for (const one of [shadowed, steered, package_, isolate, shell]) {
        expect(one, JSON.stringify(one.error)).toMatchObject({ status: 'succeeded', signs: [] })
        expect(printed(one).trim()).toBe('own')
      }
      for (const language of ['node', 'bash'] as const) {
        const one = await run({ language, code: 'exit', env, limits: { timeoutMs: 5000 } })
        expect(['succeeded', 'failed']).toContain(one.status)
      }
    },
  },
  {
    id: 'F02',
    title: 'links that a run leaves are never followed',
    async attack({ run, send, canaries }) {
      const ended = await run(
        bash(
          `ln -s ${canaries.filePath} out.txt; ln -s /etc/passwd passwd; ln -s / d; ln -s /proc/self/environ env; mkdir dir; ln -s ../../../../../${canaries.filePath} dir/up; ln -s . loop; echo own > own.txt`,
        ),
      )
      expect(ended.status).toBe('succeeded')
      for (const { path, size } of ended.files) {
        const { text } = await send(`/api/v1/runs/${ended.id}/files/${path}`)
        expect([path, text]).toEqual([path, path === 'own.txt' ? 'own\n' : ''])
        expect(size).toBe(path === 'own.txt' ? 4 : 0)
      }
      expect(ended.files.some(({ path }) => path.startsWith('d/') || path.startsWith('loop/'))).toBe(false)
    },
    async control({ run, send }) {
      const ended = await run(bash('echo own > own.txt'))
      expect((await send(`/api/v1/runs/${ended.id}/files/own.txt`)).text).toBe('own\n')
    },
  },
  {
    id: 'F02-b',
    title: 'hard links, pipes, devices, odd names and odd modes in the way of the collector harm nobody',
    async attack({ run }) {
      const ended = await run(
        bash(
          `ln /etc/passwd hard 2>/dev/null; mkfifo pipe; python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("sock")'; echo x > "$(printf 'a\\nb')"; echo x > "$(printf '\\xff\\xfe')"; echo x > -rf; echo x > 'a b;$(id)'; echo x > secret; chmod 000 secret; mkdir closed; echo x > closed/y; chmod 000 closed; mkdir -p $(printf 'd/%.0s' $(seq 1 60)); head -c 3M /dev/zero > big; rm main.sh; echo done`,
          { limits: { timeoutMs: 60_000 } },
        ),
      )
      expect(printed(ended)).toContain('done')
      expect(ended.status).toBe('succeeded')
      for (const { path } of ended.files) expect(path).not.toMatch(/[\u0000-\u001f]|^hard$|^pipe$|^sock$/)
    },
  },
  {
    id: 'F04',
    title: 'swapping a directory with a link while files are collected gives nothing away',
    async attack({ run, canaries }) {
      const rounds = isLong ? 100 : 3
      for (let round = 0; round < rounds; round++) {
        const ended = await run(
          bash(
            `mkdir real real/in; echo own > real/in/x.txt; for n in $(seq 1 200); do echo own > f$n; done; mkdir -p evil; ln -s ${canaries.filePath} evil/x.txt; ln -s ${canaries.filePath} swap.txt; echo own > own.txt
python3 - <<'END' &
import os, sys
os.setsid()
while True:
    try:
        os.rename('real/in', 'real/out'); os.symlink('../evil', 'real/in'); os.unlink('real/in'); os.rename('real/out', 'real/in')
        os.rename('own.txt', 'own2.txt'); os.rename('swap.txt', 'own.txt'); os.rename('own.txt', 'swap.txt'); os.rename('own2.txt', 'own.txt')
    except OSError: pass
END
sleep 0.1`,
            { limits: { timeoutMs: 5000 } },
          ),
        )
        expect(['succeeded', 'failed']).toContain(ended.status)
      }
    },
    async control({ run }) {
      const ended = await run(bash(`mkdir real; echo own > real/x.txt; mv real real2`))
      expect(ended.files).toEqual([{ path: 'real2/x.txt', size: 4 }])
    },
  },
  {
    id: 'F04-b',
    title: 'files that grow, vanish or change while they are collected end where they are',
    async attack({ run }) {
      const ended = await run(
        bash(
          `(setsid bash -c 'while :; do echo more >> grows; rm -f gone; echo x > gone; truncate -s 0 shrinks; head -c 2M /dev/zero > shrinks; done' &) ; for n in $(seq 1 100); do head -c 10k /dev/zero > f$n; done`,
          { limits: { timeoutMs: 5000 } },
        ),
      )
      expect(['succeeded', 'failed']).toContain(ended.status)
    },
  },
  {
    id: 'F05',
    title: 'an object that pretends to be an uploaded file is refused, and names no file of the host',
    async attack({ send, canaries }) {
      const pretended = [
        { filepath: canaries.filePath },
        { path: canaries.filePath, size: 10, mimetype: 'text/plain' },
        { base64: 'eA==', filepath: canaries.filePath },
        { url: `file://${canaries.filePath}` },
        { base64: { filepath: canaries.filePath } },
        [canaries.filePath],
        null,
      ]
      for (const file of pretended) {
        const given = await send('/api/v1/runs', json({ language: 'bash', code: 'cat f', files: { f: file } }))
        expect([file, given.status]).toEqual([file, 400])
        expect(given.text).toContain('files')
      }
    },
    async control({ run }) {
      expect(printed(await run(bash('cat f', { files: { f: { base64: 'Z2l2ZW4=' } } })))).toBe('given')
    },
  },
  {
    id: 'F05-b',
    title: 'a body of another type is no run, whatever it is called',
    async attack({ send, canaries }) {
      const body = JSON.stringify({ language: 'bash', code: 'true' })
      const form = `--x\r\ncontent-disposition: form-data; name="f"; filename="${canaries.filePath}"\r\n\r\nx\r\n--x--\r\n`
      const bodies: [string, string][] = [
        ['text/plain', body],
        ['application/x-www-form-urlencoded', body],
        ['application/x-www-form-urlencoded', 'language=bash&code=true&files[f][filepath]=/etc/passwd'],
        ['multipart/form-data; boundary=x', form],
        ['multipart/form-data', body],
      ]
      for (const [type, text] of bodies) {
        const { status } = await send('/api/v1/runs', { method: 'POST', headers: { 'content-type': type }, body: text })
        expect([type, status]).toEqual([type, 400])
      }
    },
    async control({ send }) {
      expect((await send('/api/v1/runs', json({ language: 'bash', code: 'true' }))).status).toBe(200)
    },
  },
]
