import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAnyUv } from '../../../tests/harness/outside/find-uv.ts'
import { reachRealRegistry } from '../../../tests/harness/outside/real-registry.ts'
import { createEgress } from '../../egress/index.ts'
import { findBasePython, type PackageSet } from '../../runtimes/index.ts'
import { createFixture, type Fixture } from '../../runtimes/process/process-fixture.ts'
import type { PackageSource } from '../package-source.ts'
import { browserInterpreter } from './browser-interpreter.ts'
import { createPypiSource } from './create-pypi-source.ts'
import { readPipSettings } from './pip-settings.ts'

const uidBase = 0x60000000 + (process.pid % 0x8000) * 0x800
const rules = { allowBuilds: false, before: new Date(Date.now() - 2 * 24 * 3600 * 1000) }
const limits = { memoryMb: 1024, timeoutMs: 120_000, cpuMs: 60_000 }
const soon = () => AbortSignal.timeout(240_000)

describe('packages of a real index', { timeout: 300_000 }, () => {
  const close = reachRealRegistry()
  const root = mkdtempSync(join(tmpdir(), 'coherex-real-'))
  const setsDir = join(root, 'sets')
  let fixture: Fixture
  let source: PackageSource
  let missing: string | undefined

  beforeAll(async () => {
    chmodSync(root, 0o711)
    mkdirSync(setsDir, { mode: 0o711 })
    const basePython = await findBasePython()
    fixture = await createFixture(uidBase, { poolSize: 0, setsDir, basePython })
    const { index, offline } = readPipSettings(process.env)
    source = createPypiSource({
      open: (spec) => fixture.runtime.open(spec),
      ...{ egress: createEgress(), uv: findAnyUv(), interpreter: basePython, index, offline },
      storeDirectory: join(root, 'wheels'),
    })
    missing = fixture.launcher.unavailable() ?? source.unavailable()
    if (missing !== undefined) return
    missing = await source.info('six', AbortSignal.timeout(30_000)).then(
      () => undefined,
      (error: Error) => error.message,
    )
  })
  afterAll(async () => {
    close()
    await fixture.close()
    rmSync(root, { recursive: true, force: true })
  })

  const prove = (title: string, proof: () => Promise<void>) =>
    test(title, async (context) => {
      if (missing !== undefined) return context.skip(missing)
      await proof()
    })
  const setOf = async (folder: string, requirements: string[], allowBuilds = false): Promise<PackageSet> => {
    const packages = await source.resolve(requirements, { ...rules, allowBuilds }, soon())
    const directory = join(setsDir, folder)
    mkdirSync(directory, { mode: 0o755 })
    const { modules } = await source.layOut(packages, directory, {
      ...{ maxBytes: 2_000_000_000, allowBuilds, signal: soon(), onProgress() {} },
    })
    return { hash: folder, language: 'python', folder, modules }
  }

  prove('a package without machine code has a wheel for the browser, one with it has none', async () => {
    const browser = createPypiSource({
      open: (spec) => fixture.runtime.open(spec),
      ...{ egress: createEgress(), uv: findAnyUv(), ...readPipSettings(process.env) },
      interpreter: browserInterpreter('/usr/bin/python3'),
      storeDirectory: join(root, 'browser-wheels'),
    })
    const [tabulate] = await browser.resolve(['tabulate'], rules, soon())
    expect(tabulate?.url).toMatch(/-none-any\.whl$/)
    await expect(browser.resolve(['numpy>=2'], rules, soon())).rejects.toThrow('has no wheel')
  })

  prove('polars counts in a run', async () => {
    const set = await setOf('polars', ['polars'])
    expect(set.modules).toContain('polars')
    const code = 'import polars\nprint(polars.DataFrame({"a": [1, 2, 3]})["a"].sum())'
    const { stdout, error } = await fixture.python(code, { set, limits })
    expect({ stdout, error }).toEqual({ stdout: '6\n', error: undefined })
  })

  prove('pydantic checks in a run', async () => {
    const set = await setOf('pydantic', ['pydantic>=2'])
    const code = `from pydantic import BaseModel
class Point(BaseModel):
    x: int
print(Point(x="4").x, Point.model_json_schema()["required"])`
    const { stdout, error } = await fixture.python(code, { set, limits })
    expect({ stdout, error }).toEqual({ stdout: "4 ['x']\n", error: undefined })
  })

  prove('scikit-learn fits in a run, with the numpy that every program has', async () => {
    const set = await setOf('sklearn', ['scikit-learn'])
    const code = `from sklearn.linear_model import LinearRegression
print(round(float(LinearRegression().fit([[0], [1], [2]], [1, 3, 5]).predict([[10]])[0])))`
    const { stdout, error } = await fixture.python(code, { set, limits })
    expect({ stdout, error }).toEqual({ stdout: '21\n', error: undefined })
  })

  prove('a package with an extension in C and a command works in a cell', async () => {
    const set = await setOf('native', ['msgpack', 'tabulate'])
    const sandbox = await fixture.runtime.open({
      limits: { memoryMb: 512, processes: 64, openFiles: 256, diskMb: 64, inodes: 10_000 },
      ...{ domain: 'test', env: {}, sets: [set] },
    })
    try {
      const lines: string[] = []
      const code = `import msgpack, subprocess
from msgpack import _cmsgpack
print(msgpack.unpackb(msgpack.packb([1, 2])))
print(subprocess.run(["tabulate", "-f", "plain"], input="1 2", capture_output=True, text=True).stdout)`
      const outcome = await sandbox.runCell(
        { context: 'one', language: 'python', code },
        {
          limits: { timeoutMs: 60_000, outputBytes: 100_000 },
          ...{ signal: soon(), capabilities: {}, onStart() {} },
          onOutput: (line) => 'text' in line && lines.push(line.text),
        },
      )
      expect(outcome.error).toBeUndefined()
      expect(lines.join('')).toBe('[1, 2]\n1  2\n\n')
    } finally {
      await sandbox.close()
    }
  })

  prove('a source distribution is built and imported', async () => {
    const set = await setOf('docopt', ['docopt==0.6.2'], true)
    const { stdout, error } = await fixture.python('import docopt\nprint(docopt.__version__)', { set, limits })
    expect({ stdout, error }).toEqual({ stdout: '0.6.2\n', error: undefined })
  })

  prove('what does not exist and what does not fit is told in plain words', async () => {
    await expect(source.resolve(['coherex-has-no-such-package'], rules, soon())).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('There is no package "coherex-has-no-such-package"'),
    })
    await expect(source.resolve(['pandas==2.2.0', 'numpy<1.20'], rules, soon())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The packages do not fit together: '),
    })
    const info = await source.info('polars', soon())
    expect(info?.versions.length).toBeGreaterThan(10)
  })
})
