import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reachRealRegistry } from '../../../tests/harness/outside/real-registry.ts'
import { createEgress } from '../../egress/index.ts'
import { BundleStore, type PackageSet, SetBundles } from '../../runtimes/index.ts'
import { type IsolateSubject, openIsolate } from '../../runtimes/isolate/subject.ts'
import { createFixture, type Fixture } from '../../runtimes/process/process-fixture.ts'
import { runProgram } from '../../runtimes/runtime.contract.ts'
import type { PackageSource } from '../package-source.ts'
import { createNpmSource } from './create-npm-source.ts'
import { readNpmSettings } from './npm-settings.ts'

const uidBase = 0x60000000 + (process.pid % 0x8000) * 0x800
const rules = { allowBuilds: false, before: new Date(Date.now() - 2 * 24 * 3600 * 1000) }
const soon = () => AbortSignal.timeout(240_000)

describe('packages of a real registry', { timeout: 300_000 }, () => {
  const close = reachRealRegistry()
  const root = mkdtempSync(join(tmpdir(), 'coherex-real-'))
  const setsDir = join(root, 'sets')
  let fixture: Fixture
  let isolate: IsolateSubject
  let source: PackageSource
  let missing: string | undefined

  beforeAll(async () => {
    chmodSync(root, 0o711)
    mkdirSync(setsDir, { mode: 0o711 })
    const bundles = new BundleStore(join(root, 'bundles'))
    fixture = await createFixture(uidBase, { poolSize: 0, setsDir, bundles })
    const { launcher } = fixture
    isolate = await openIsolate({
      bundles,
      setBundles: new SetBundles({ launcher, setsDir, directory: bundles.directory }),
    })
    source = createNpmSource({
      ...{ egress: createEgress(), launcher, settings: readNpmSettings(process.env) },
      ...{ cacheDir: join(root, 'cache'), directory: join(root, 'npm') },
    })
    missing = source.unavailable()
    if (missing !== undefined) return
    missing = await source.info('ms', AbortSignal.timeout(30_000)).then(
      () => undefined,
      (error: Error) => error.message,
    )
  })
  afterAll(async () => {
    close()
    await Promise.all([isolate.close(), fixture.close()])
    rmSync(root, { recursive: true, force: true })
  })

  const prove = (title: string, proof: () => Promise<void>) =>
    test(title, async (context) => {
      if (missing !== undefined) return context.skip(missing)
      await proof()
    })
  const setOf = async (folder: string, requirements: string[]): Promise<PackageSet> => {
    const packages = await source.resolve(requirements, rules, soon())
    const directory = join(setsDir, folder)
    mkdirSync(directory, { mode: 0o755 })
    const options = { maxBytes: 500_000_000, allowBuilds: false, signal: soon(), onProgress() {} }
    const { modules } = await source.layOut(packages, directory, options)
    return { hash: folder, language: 'javascript', folder, modules }
  }

  prove('es-toolkit groups in an isolate and in a process', async () => {
    const set = await setOf('es-toolkit', ['es-toolkit@1'])
    const code = `import { groupBy } from 'npm:es-toolkit@1'\nimport { chunk } from 'es-toolkit/array'\n;[groupBy([1, 2, 3], (n) => n % 2), chunk([1, 2, 3], 2)]`
    const expected = [{ 0: [2], 1: [1, 3] }, [[1, 2], [3]]]
    const program = { language: 'javascript' as const, code, entry: 'main.js', set }
    expect(await runProgram(isolate.runtime, program)).toMatchObject({ result: expected })
    expect(await fixture.run('javascript', `import 'node:os'\n${code}`, { set })).toMatchObject({ result: expected })
  })

  prove('preact and its renderer share one copy in an isolate', async () => {
    const set = await setOf('preact', ['preact', 'preact-render-to-string'])
    const code = `import { h } from 'preact'
import { useState } from 'preact/hooks'
import { renderToString } from 'preact-render-to-string'
const Count = () => h('b', null, useState(7)[0])
renderToString(h(Count))`
    const program = { language: 'javascript' as const, code, entry: 'main.js', set }
    expect(await runProgram(isolate.runtime, program)).toMatchObject({ result: '<b>7</b>' })
  })

  prove('express answers in a process', async () => {
    const set = await setOf('express', ['express'])
    const code = `const express = require('express')
const app = express()
app.get('/', (request, response) => response.json({ hello: request.query.name }))
module.exports = () => new Promise((resolve) => {
  const server = app.listen(0, '127.0.0.1', async () => {
    const answer = await fetch(\`http://127.0.0.1:\${server.address().port}/?name=ann\`)
    resolve(await answer.json())
  })
})`
    const { result, error } = await fixture.run('node', code, { set, entry: 'main.cjs' })
    expect({ result, error }).toEqual({ result: { hello: 'ann' }, error: undefined })
  })

  prove('what does not exist and what does not fit is told in plain words', async () => {
    await expect(source.resolve(['coherex-has-no-such-package'], rules, soon())).rejects.toMatchObject({
      code: 'not_found',
      message: 'The registry has no package "coherex-has-no-such-package"',
    })
    await expect(source.resolve(['react@18', 'react-dom@19.0.0'], rules, soon())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The packages do not fit together: react-dom@19.0.0 needs react@'),
    })
    expect((await source.info('es-toolkit', soon()))?.versions.length).toBeGreaterThan(10)
  })
})
