import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeBash } from '../../src/capabilities/bash/bash.contract.ts'
import { shellLaunchSpec } from '../../src/capabilities/index.ts'
import { createCanary } from '../../src/egress/test-internet.ts'
import { createLauncher } from '../../src/runtimes/launch/index.ts'

const stateDir = mkdtempSync(join(tmpdir(), 'coherex-bash-'))
const launcher = await createLauncher({ stateDir })
const missing = launcher.unavailable()

afterAll(async () => {
  await launcher.close()
  rmSync(stateDir, { recursive: true, force: true })
})

describe.skipIf(missing !== undefined)(`where sandboxes can be made${missing ? ` (${missing})` : ''}`, () => {
  it('a program in the shell’s place finds no files, no network, no environment and no way to start others', async () => {
    const canary = await createCanary()
    const spec = shellLaunchSpec({ node: process.execPath })
    const probe = `
      const fs = require('node:fs')
      const attempt = (run) => { try { return String(run()) } catch (error) { return error.code ?? 'failed' } }
      const seen = {
        own: attempt(() => fs.readFileSync('/opt/coherex/package.json').length > 0),
        passwd: attempt(() => fs.readFileSync('/etc/passwd')),
        write: attempt(() => fs.writeFileSync('/tmp/x', 'x')),
        child: attempt(() => require('node:child_process').execSync('id')),
        environment: Object.keys(process.env),
      }
      const end = (connected) => console.log(JSON.stringify({ ...seen, connected }))
      const socket = require('node:net').connect(${canary.port}, '127.0.0.1', () => end(true)).on('error', () => end(false))`
    const launched = await launcher.launch({ ...spec, argv: [...spec.argv.slice(0, -1), '-e', probe] })
    const seen: unknown = JSON.parse((await launched.stdout.toArray()).join(''))
    await launched.kill()
    expect(seen).toEqual({
      own: 'true',
      passwd: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      child: 'ERR_ACCESS_DENIED',
      environment: ['PWD'],
      connected: false,
    })
    expect(canary.hits).toBe(0)
    await canary.close()
  })

  describeBash('a sandbox', async () => ({ launch: launcher.launch, close: async () => {} }))
})
