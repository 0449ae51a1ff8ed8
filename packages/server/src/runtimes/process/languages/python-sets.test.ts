import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PackageSet } from '../../package-set.ts'
import { createFixture, type Fixture } from '../process-fixture.ts'

const uidBase = 0x60000000 + (process.pid % 0x8000) * 0x800
const root = mkdtempSync(join(tmpdir(), 'coherex-sets-'))
const setsDir = join(root, 'sets')

let cold: Fixture
let warm: Fixture

beforeAll(async () => {
  chmodSync(root, 0o711)
  mkdirSync(setsDir, { mode: 0o711 })
  cold = await createFixture(uidBase, { poolSize: 0, setsDir })
  warm = await createFixture(uidBase + 1024, { poolSize: 0, setsDir, zygotes: { ahead: { plain: 1, data: 1 } } })
  await warm.runtime.zygotes?.warm(true)
})
afterAll(async () => {
  await Promise.all([cold.close(), warm.close()])
  rmSync(root, { recursive: true, force: true })
})

/** Made while sandboxes wait already, as it is with packages that are added. */
function makeSet(folder: string, files: Record<string, string>): PackageSet {
  for (const [path, text] of Object.entries(files)) {
    const whole = join(setsDir, folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 })
  }
  const modules = Object.keys(files).flatMap((path) => /^site\/(\w+)/.exec(path)?.[1] ?? [])
  return { hash: folder, language: 'python', folder, modules }
}

const alpha = {
  'site/alpha/__init__.py': 'value = 2\n',
  'site/alpha-2.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: alpha\nVersion: 2.0\n',
  'bin/alpha-say': '#!/bin/sh\necho said\n',
}
const asks = `import alpha, importlib.metadata, subprocess, sys
print(alpha.value, importlib.metadata.version("alpha"))
print(subprocess.run(["alpha-say"], capture_output=True, text=True).stdout.strip())
print(subprocess.run([sys.executable, "-c", "import alpha; print(alpha.value)"], capture_output=True, text=True).stdout.strip())`

test.each(['cold', 'warm'] as const)('a %s run and what it starts import the packages of its set', async (kind) => {
  const set = makeSet(`alpha-${kind}`, alpha)
  const { stdout, error } = await (kind === 'cold' ? cold : warm).python(asks, { set })
  expect({ stdout, error }).toEqual({ stdout: '2 2.0\nsaid\n2\n', error: undefined })
  const { error: without } = await (kind === 'cold' ? cold : warm).python('import alpha')
  expect(without?.message).toContain("No module named 'alpha'")
})

test('a read-only run and a Bash program use a set', async () => {
  const set = makeSet('alpha-other', alpha)
  const { stdout } = await warm.python('import alpha\nprint(alpha.value)', { set, readOnly: true })
  expect(stdout).toBe('2\n')
  const shell = await warm.bash('alpha-say; python3 -c "import alpha; print(alpha.value)"', { set })
  expect(shell.stdout).toBe('said\n2\n')
})

test('a set cannot be listed by whoever does not know its name, and cannot be written', async () => {
  const set = makeSet('unguessable', alpha)
  const code = `import os
try: print(os.listdir("/opt/sets"))
except PermissionError: print("not listed")
try: open("/opt/sets/unguessable/site/alpha/x.py", "w")
except OSError as error: print(error.strerror)`
  const { stdout } = await warm.python(code, { set })
  expect(stdout).toBe('not listed\nRead-only file system\n')
})

test('modules of the library come before a set, and a set before the packages of the machine', async () => {
  const set = makeSet('shadows', {
    'site/json.py': 'raise ImportError("of the set")\n',
    'site/dataclasses.py': 'raise ImportError("of the set")\n',
    'site/six.py': 'name = "of the set"\n',
  })
  const code = 'import json, dataclasses, six\nprint(json.dumps(1), six.name)'
  const runs = await Promise.all([warm.python(code, { set }), cold.python(code, { set })])
  expect(runs.map(({ stdout }) => stdout)).toEqual(['1 of the set\n', '1 of the set\n'])
})

test('a set with pandas of another version is not mixed with the one that is loaded', async (context) => {
  if (!warm.runtime.zygotes?.isLoaded.data) return context.skip('needs numpy, pandas and matplotlib')
  const set = makeSet('pandas-other', { 'site/pandas/__init__.py': '__version__ = "99"\n' })
  const { stdout } = await warm.python(
    'import sys\nprint("numpy" in sys.modules)\nimport pandas\nprint(pandas.__version__)',
    {
      set,
    },
  )
  expect(stdout).toBe('False\n99\n')
  const other = makeSet('dateutil-other', { 'site/dateutil/__init__.py': '__version__ = "99"\n' })
  const mixed = await warm.python(
    'import sys\nprint("numpy" in sys.modules)\nimport dateutil, pandas\nprint(dateutil.__version__, pandas.__version__ != "99")',
    { set: other },
  )
  expect(mixed.stdout).toBe('True\n99 True\n')
})
