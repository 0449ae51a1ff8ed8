import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PackageSet } from '../../package-set.ts'
import { type Ask, createFixture, defaults, type Fixture } from '../process-fixture.ts'

const uidBase = 0x7b000000 + (process.pid % 0x800) * 0x1000

// what a package sees of where it is loaded
const recording = `import os, sys
read = lambda path: open(path).read()
rights = [line for line in read("/proc/self/status").splitlines() if line.startswith(("CapEff", "Seccomp:", "NoNewPrivs", "Uid"))]
loaded_in = os.getpid()
had_program = "__main__" in sys.modules and hasattr(sys.modules["__main__"], "__file__") and os.path.exists("main.py")
`
const modules: Record<string, Record<string, string>> = {
  calm: { 'calm/__init__.py': recording, 'calm/part.py': 'value = 7' },
  other: { 'calm/__init__.py': 'had_program = None' },
  quiet: { 'quiet.py': 'import os\nhad_program = os.path.exists("main.py")' },
  loud: { 'loud.py': 'print("hello")' },
  broken: { 'broken.py': 'raise RuntimeError("not now")' },
  busy: {
    'busy.py':
      'import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()',
  },
}

describe.runIf(process.getuid?.() === 0)('guests that have loaded a set', () => {
  let fixture: Fixture
  let setsDir: string
  let availableMb = 4096
  /** How often the next looks find no memory. */
  let shortLooks = 0

  beforeAll(async () => {
    setsDir = mkdtempSync(join(tmpdir(), 'coherex-sets-'))
    chmodSync(setsDir, 0o711)
    for (const [folder, files] of Object.entries(modules)) {
      for (const [path, code] of Object.entries(files)) {
        const file = join(setsDir, folder, 'site', path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, code)
      }
    }
    fixture = await createFixture(uidBase, {
      poolSize: 0,
      setsDir,
      zygotes: {
        ahead: { plain: 1, data: 0 },
        availableMb: () => (shortLooks > 0 ? (shortLooks--, 0) : availableMb),
        setTuning: { lookMs: 200 },
      },
    })
    await fixture.runtime.zygotes?.warm()
  })
  afterAll(async () => {
    await fixture.close()
    rmSync(setsDir, { recursive: true, force: true })
  })

  const setOf = (folder: string): PackageSet => ({
    ...{ hash: folder, language: 'python', folder, modules: [folder === 'other' ? 'calm' : folder] },
  })
  const python = (folder: string, code: string, ask: Ask = {}) => fixture.python(code, { set: setOf(folder), ...ask })
  const loaded = () => fixture.runtime.zygotes?.sets.hits ?? 0
  const waiting = () => fixture.runtime.zygotes?.sets.ready ?? 0
  const uses = 'import calm\nfrom calm.part import value\n[calm.had_program, value]'

  /** Runs the program twice, so that the third is served by a guest which has loaded its set. */
  async function prepare(folder: string, code: string): Promise<void> {
    for (let use = 0; use < 2; use++) await python(folder, code)
    await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0)
  }

  test('[zygote.7] the third program of a set finds its packages loaded', async () => {
    expect(await python('calm', uses)).toMatchObject({ result: [true, 7] })
    await prepare('calm', uses)
    const before = loaded()
    expect(await python('calm', uses)).toMatchObject({ status: 'succeeded', result: [false, 7], warm: true })
    expect(loaded()).toBe(before + 1)
  })

  test('[zygote.7] code of a package runs in the guest of its program, with the rights of a guest', async () => {
    await prepare('calm', uses)
    const before = loaded()
    const told = await python(
      'calm',
      `import calm, os\n[calm.loaded_in == os.getpid(), calm.had_program, calm.rights, [line for line in open("/proc/self/status").read().splitlines() if line.startswith(("CapEff", "Seccomp:", "NoNewPrivs", "Uid"))]]`,
    )
    expect(loaded()).toBe(before + 1)
    const [isSame, hadProgram, atLoad, now] = told.result as [boolean, boolean, string[], string[]]
    expect([isSame, hadProgram, atLoad]).toEqual([true, false, now])
    expect(now).toEqual(expect.arrayContaining([expect.stringMatching(/^CapEff:\s+0+$/), 'Seccomp:\t2']))
  })

  test('[zygote.7] it serves its own set, and a program that cannot tell', async () => {
    await prepare('calm', uses)
    const before = loaded()
    expect(await python('other', 'import calm\ncalm.had_program')).toMatchObject({ status: 'succeeded' })
    expect(await python('calm', uses, { env: { CALM: '1' } })).toMatchObject({ result: [true, 7] })
    const own = { 'calm.py': 'had_program = "own"' }
    expect(await python('calm', 'import calm\ncalm.had_program', { files: own })).toMatchObject({ result: 'own' })
    expect(await fixture.python('1 + 1')).toMatchObject({ result: 2 })
    expect(loaded()).toBe(before)
  })

  test('[zygote.7] it serves nobody of another trust domain', async () => {
    await prepare('calm', uses)
    const before = loaded()
    const { signal } = new AbortController()
    const program = { language: 'python', code: uses, entry: 'main.py', env: {} } as const
    const outcome = await fixture.runtime.run(
      { ...program, files: {}, packages: [], set: setOf('calm'), typecheck: false, readOnly: false },
      { limits: defaults, signal, capabilities: {}, domain: 'another', onOutput() {}, onStart() {} },
    )
    expect(outcome).toMatchObject({ status: 'succeeded', result: [true, 7] })
    expect(loaded()).toBe(before)
  })

  test.each(['loud', 'broken', 'busy'])(
    '[zygote.7] a set that is %s is loaded by its program alone',
    async (folder) => {
      const refused = () => fixture.runtime.zygotes?.sets.refused ?? 0
      const before = refused()
      const ask = () => python(folder, `import ${folder}`)
      const first = await ask()
      await ask()
      await expect.poll(refused, { timeout: 50_000 }).toBe(before + 1)
      const taken = loaded()
      const { stdout, status, error } = await ask()
      expect([stdout, status, error?.message]).toEqual([first.stdout, first.status, first.error?.message])
      expect(loaded()).toBe(taken)
    },
  )

  test('[zygote.7] where memory is short none waits, and programs run all the same', async () => {
    await prepare('calm', uses)
    availableMb = 200
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
    const before = loaded()
    expect(await python('calm', uses)).toMatchObject({ result: [true, 7] })
    expect(loaded()).toBe(before)
    availableMb = 4096
  })

  test('[zygote.7] a set that only files beside the entry import is loaded ahead as well', async () => {
    const files = { 'helper.py': 'import calm\nfrom calm.part import value\nseen = [calm.had_program, value]' }
    const ask = () => python('calm', 'import helper\nhelper.seen', { files })
    for (let use = 0; use < 2; use++) await ask()
    await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0)
    const before = loaded()
    expect(await ask()).toMatchObject({ result: [false, 7], warm: true })
    expect(loaded()).toBe(before + 1)
  })

  test('[zygote.7] where memory is short the set that was used longest ago goes first', async () => {
    const quiet = 'import quiet\nquiet.had_program'
    await prepare('quiet', quiet)
    await prepare('calm', uses)
    await python('quiet', quiet)
    // more than one set can have
    await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(3)
    shortLooks = 1
    await expect.poll(() => shortLooks, { timeout: 10_000 }).toBe(0)
    expect(await python('quiet', quiet)).toMatchObject({ result: false })
    expect(await python('calm', uses)).toMatchObject({ result: [true, 7] })
  })
})
