import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeSmallProject, writeInto } from './small-project.ts'

/** Lays out one package as uv would; which one is all that is not real here. */
const uv = `#!/bin/sh
while [ $# -gt 0 ]; do [ "$1" = --target ] && site=$2; shift; done
mkdir -p "$site/bin" "$site/tiny_thing-1.0.dist-info"
echo 'answer = 42' > "$site/tiny_thing.py"
printf '#!/somewhere/python3\\nimport tiny_thing\\n' > "$site/bin/tiny"
`
const entries = {
  'uv/__init__.py': '',
  'uv-1.0.data/scripts/uv': uv,
  'uv-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: uv\nVersion: 1.0\n',
  'uv-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
}
const record = [...Object.keys(entries), 'uv-1.0.dist-info/RECORD'].map((path) => `${path},,\n`).join('')
const zip = `import io, json, sys, zipfile
whole = io.BytesIO()
with zipfile.ZipFile(whole, "w") as archive:
    for path, text in json.load(sys.stdin).items():
        entry = zipfile.ZipInfo(path)
        entry.external_attr = 0o100755 << 16
        archive.writestr(entry, text)
sys.stdout.buffer.write(whole.getvalue())`
const hasPip = existsSync('/usr/lib/python3/dist-packages/pip')
const wheel = hasPip
  ? execFileSync('/usr/bin/python3', ['-I', '-c', zip], {
      input: JSON.stringify({ ...entries, 'uv-1.0.dist-info/RECORD': record }),
    })
  : Buffer.alloc(0)
const digest = createHash('sha256').update(wheel).digest('hex')

describe.skipIf(!hasPip)('with pip and an index', () => {
  let project: string
  let index: Server

  beforeEach(async () => {
    project = makeSmallProject()
    lock(digest)
    writeInto(project, 'packages/server/python/base.lock', 'tiny-thing==1.0\n')
    index = createServer((request, response) => {
      if (request.url === '/simple/uv/') {
        response.setHeader('content-type', 'text/html')
        response.end('<!DOCTYPE html><a href="/uv-1.0-py3-none-any.whl">uv-1.0-py3-none-any.whl</a>')
      } else if (request.url === '/uv-1.0-py3-none-any.whl') response.end(wheel)
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    index.closeAllConnections()
    await new Promise((resolve) => index.close(resolve))
    rmSync(project, { recursive: true, force: true })
  })

  const lock = (hash: string) =>
    writeInto(project, 'packages/server/python/uv.lock', `uv==1.0 \\\n    --hash=sha256:${hash}\n`)
  const kept = () => join(project, 'node_modules/.cache/python')
  const stacks = () => (existsSync(kept()) ? readdirSync(kept()).filter((name) => name.startsWith('base-')) : [])

  /** What the step says. */
  async function install(settings: Record<string, string> = {}): Promise<string> {
    const code = `import { installPythonPackages } from '${join(project, 'scripts/python-packages.mjs')}'\nawait installPythonPackages()`
    const address = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      env: { PATH: '/usr/bin:/bin', PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: address, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    return said
  }

  test('uv and the packages are installed by their hashes, and found again by the next start', async () => {
    const first = await install()
    expect(first).toMatch(/✓ Fetched uv 1\.0 /)
    expect(first).toMatch(/✓ Fetched 1 Python packages /)
    const [stack = ''] = stacks()
    const made = JSON.parse(readFileSync(join(kept(), stack, 'stack.json'), 'utf8')) as object
    expect(made).toMatchObject({ machine: process.arch, packages: { 'tiny-thing': '1.0' } })
    expect(readFileSync(join(kept(), stack, 'site/bin/tiny'), 'utf8')).toMatch(/^#!\/usr\/bin\/env python3\n/)
    expect(readdirSync(join(kept(), stack, 'site/__pycache__'))).toHaveLength(1)
    expect(await install({ UV_OFFLINE: '1' })).toMatch(/^✓ Python packages are those of the lock {2}\d+ ms\n$/)
  })

  test('another lock is installed beside the one before', async () => {
    await install()
    writeInto(project, 'packages/server/python/base.lock', 'tiny-thing==2.0\n')
    expect(await install()).not.toContain('uv 1.0')
    expect(stacks()).toHaveLength(2)
  })

  test.each([
    ['UV_OFFLINE is set', { UV_OFFLINE: '1' }],
    ['PIP_NO_INDEX is set', { PIP_NO_INDEX: '1' }],
    ['COHEREX_PYPI_INDEX is off', { COHEREX_PYPI_INDEX: 'off' }],
    ['no index of Python packages can be reached', { PIP_INDEX_URL: 'http://127.0.0.1:9/simple' }],
  ])('the packages of the system serve where %s', async (reason, settings) => {
    expect(await install(settings)).toContain(
      `! Python has the packages of the system, not those of the lock: ${reason}\n`,
    )
    expect(stacks()).toEqual([])
  })

  test('a uv with another hash is not used', async () => {
    lock('0'.repeat(64))
    expect(await install()).toMatch(/not those of the lock: pip cannot fetch uv: .*(HASHES|hash)/i)
    expect(readdirSync(kept())).toEqual([])
  })
})
