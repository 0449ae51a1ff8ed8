import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareEtc } from './guest-root.ts'

let etc: string
beforeAll(() => {
  etc = mkdtempSync(join(tmpdir(), 'coherex-etc-'))
  prepareEtc(etc, '/home/guest')
})
afterAll(() => rmSync(etc, { recursive: true, force: true }))

const hashed = (directory: string) => readdirSync(directory).filter((name) => /^[0-9a-f]{8}\.\d+$/.test(name))

describe('/etc of a sandbox', () => {
  test('has one user, and none of the host', () => {
    expect(readFileSync(join(etc, 'passwd'), 'utf8')).toBe('guest:x:1000:1000:guest:/home/guest:/bin/bash\n')
    for (const name of ['shadow', 'hostname', 'machine-id', 'ssl/private'])
      expect(existsSync(join(etc, name))).toBe(false)
  })

  test('has each certificate the host trusts, by the hash programs look for', () => {
    const names = hashed('/etc/ssl/certs')
    expect(names.length).toBeGreaterThan(50)
    expect(hashed(join(etc, 'ssl/certs'))).toEqual(names)
    for (const name of names) {
      const path = readlinkSync(join(etc, 'ssl/certs', name))
      expect(path).toBe(realpathSync(join('/etc/ssl/certs', name)))
    }
  })

  test('a root is trusted by its directory alone', () => {
    const root = realpathSync(join('/etc/ssl/certs', hashed('/etc/ssl/certs')[0] as string))
    const verify = (directory: string) =>
      spawnSync('openssl', ['verify', '-no-CAfile', '-no-CAstore', '-CApath', directory, root], { encoding: 'utf8' })
        .status
    expect(verify(join(etc, 'ssl/certs'))).toBe(0)
    expect(verify(join(etc, 'fonts'))).not.toBe(0)
  })

  test('has the choices of programs and libraries, and no pages of the manual', () => {
    const kept = readdirSync(join(etc, 'alternatives'))
    const there = readdirSync('/etc/alternatives')
    const isManual = (name: string) => /\/man\d/.test(readlinkSync(join('/etc/alternatives', name)))
    expect(kept).toEqual(there.filter((name) => name === 'README' || !isManual(name)))
    expect(there.length).toBeGreaterThan(kept.length)
  })
})
