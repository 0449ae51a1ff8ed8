import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../process-fixture.ts'
import { type BasePython, findBasePython, findUv } from './base-python.ts'

const uidBase = 0x74000000 + (process.pid % 0x800) * 0x1000

test('a Python that is not there is named with the setting', async () => {
  await expect(findBasePython('/nowhere/bin/python3')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Cannot use "/nowhere/bin/python3", which COHEREX_PYTHON names: it does not exist',
  })
})

describe.runIf(process.getuid?.() === 0)('the base stack', () => {
  let base: BasePython
  let fixture: Fixture
  beforeAll(async () => {
    base = await findBasePython()
    fixture = await createFixture(uidBase, { basePython: base, poolSize: 0 })
  })
  afterAll(() => fixture.close())

  const whole = { limits: { memoryMb: 1024 } }

  test('a run has the packages that are told, and tracebacks name them as they are inside', async () => {
    const told = await fixture.python(
      'import numpy, pandas\n[numpy.__version__, pandas.__version__, pandas.__file__]',
      whole,
    )
    const [numpy, pandas, file] = told.result as string[]
    expect({ numpy, pandas }).toEqual({ numpy: base.packages['numpy'], pandas: base.packages['pandas'] })
    expect(file).toMatch(base.stack === 'pypi' ? /^\/opt\/base\/pandas\// : /^\/usr\/lib\/python3\//)
    const wrong = await fixture.python('import pandas\npandas.DataFrame({"a": [1]})["b"]', whole)
    expect(wrong.error?.stack).not.toContain('node_modules')
  })

  test('a shell has the same, and the packages of a user come first', async () => {
    const told = await fixture.bash(
      `python3 -c 'import numpy; print(numpy.__version__)'
mkdir -p "$(python3 -m site --user-site)/numpy" && echo '__version__ = "mine"' > "$(python3 -m site --user-site)/numpy/__init__.py"
python3 -c 'import numpy; print(numpy.__version__)'`,
      whole,
    )
    expect(told).toMatchObject({ stdout: `${base.packages['numpy']}\nmine\n`, stderr: '' })
  })

  test('a virtual environment is alone', async () => {
    const told = await fixture.bash(
      `python3 -m venv --without-pip alone && alone/bin/python -c 'import numpy' 2>&1 | tail -1`,
      whole,
    )
    expect(told.stdout).toBe("ModuleNotFoundError: No module named 'numpy'\n")
  })

  test('packages that the system compiled for its own numpy are missing beside another, and else there', async () => {
    if (!existsSync('/usr/lib/python3/dist-packages/scipy')) return
    const told = await fixture.python('import scipy', whole)
    const isThere = base.stack === 'debian'
    expect(told.error?.message).toEqual(isThere ? undefined : expect.stringContaining("No module named 'scipy'"))
    const names = await fixture.python(
      'import importlib.metadata as m\n{d.name for d in m.distributions()} & {"scipy", "pip"}',
    )
    expect(new Set(names.result as string[])).toEqual(new Set(isThere ? ['scipy', 'pip'] : ['pip']))
  })

  test('plots have a third dimension, whichever other matplotlib the system has', async () => {
    const code = `import warnings\nwarnings.simplefilter("error")\nimport matplotlib.pyplot as plt
plt.figure().add_subplot(projection="3d").plot([1, 2], [1, 2], [1, 2])\nplt.show()`
    const told = await fixture.python(code, whole)
    expect(told.error).toBeUndefined()
    expect(Object.keys(told.displays[0] ?? {})).toContain('image/png')
  })

  test('commands of the stack run', async ({ skip }) => {
    if (base.stack !== 'pypi') skip('Debian has the commands of Python packages in packages of their own')
    expect((await fixture.bash('ipython --version', whole)).stdout).toBe(`${base.packages['ipython']}\n`)
  })

  test('a language says which stack it has', () => {
    expect(fixture.runtime.language?.('python')).toMatchObject({ stack: base.stack, packages: base.packages })
  })

  test('uv is there wherever packages of the lock are', () => {
    if (base.stack === 'pypi') expect(existsSync(findUv() ?? '')).toBe(true)
  })
})

describe.runIf(process.getuid?.() === 0)('a Python that the operator chose', () => {
  let folder: string
  let fixture: Fixture
  let base: BasePython
  const limits = { memoryMb: 512, processes: 64, openFiles: 256, diskMb: 64, inodes: 10_000 }
  beforeAll(async () => {
    // where a sandbox has no files of its own
    folder = mkdtempSync('/opt/coherex-python-')
    chmodSync(folder, 0o755)
    execFileSync('/usr/bin/python3', ['-I', '-m', 'venv', '--without-pip', folder])
    base = await findBasePython(join(folder, 'bin/python3'))
    writeFileSync(join(base.ownSite ?? '', 'mine.py'), 'answer = 42')
    fixture = await createFixture(uidBase + 0x800000, {
      basePython: base,
      poolSize: 1,
      zygotes: { ahead: { plain: 1, data: 0 } },
      live: { ready: 1, limits },
    })
    await Promise.all([fixture.runtime.zygotes?.warm(), fixture.runtime.live?.warm()])
  })
  afterAll(async () => {
    await fixture.close()
    rmSync(folder, { recursive: true })
  })

  test('programs, forks, shells and sessions run on it, with its packages and those of the lock', async () => {
    const code = 'import mine, sys\n[mine.answer, sys.prefix]'
    expect(await fixture.python(code)).toMatchObject({ result: [42, folder], warm: true })
    expect(await fixture.python(code, { limits: { diskMb: 32 } })).toMatchObject({ result: [42, folder] })
    expect(await fixture.bash('python3 -c "import mine; print(mine.answer)"')).toMatchObject({ stdout: '42\n' })
    expect(base.stack).toBe(base.site ? 'pypi' : 'own')
    if (base.site) {
      const told = await fixture.python('import numpy\nnumpy.__version__', { limits: { memoryMb: 512 } })
      expect(told.result).toBe(base.packages['numpy'])
    }
  })

  test('a session runs on it', async () => {
    const sandbox = await fixture.runtime.open({ limits, env: {}, domain: 'test' })
    const outcome = await sandbox.runCell(
      { language: 'python', context: 'main', code: 'import mine, sys\n[mine.answer, sys.prefix]' },
      {
        limits: { timeoutMs: 30_000, outputBytes: 10_000 },
        capabilities: {},
        signal: new AbortController().signal,
        onOutput() {},
        onStart() {},
      },
    )
    await sandbox.close()
    expect(outcome).toMatchObject({ status: 'succeeded', result: [42, folder] })
  })

  test('one in a place that sandboxes cover is refused with the reason', async () => {
    const covered = mkdtempSync('/tmp/coherex-python-')
    try {
      execFileSync('/usr/bin/python3', ['-I', '-m', 'venv', '--without-pip', covered])
      await expect(findBasePython(join(covered, 'bin/python3'))).rejects.toThrow(
        /sandbox has its own files at .*move it/,
      )
    } finally {
      rmSync(covered, { recursive: true })
    }
  })
})
