import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../process-fixture.ts'
import type { ProcessRuntimeOptions } from '../process-runtime.ts'

const uidBase = 0x7d000000 + (process.pid % 0x800) * 0x1000
const ahead = { plain: 1, data: 1 }

async function open(
  zygotes: Partial<NonNullable<ProcessRuntimeOptions['zygotes']>> = {},
  options: Pick<ProcessRuntimeOptions, 'onFailure'> = {},
) {
  const fixture = await createFixture(uidBase, { poolSize: 1, zygotes: { ahead, ...zygotes }, ...options })
  await fixture.runtime.zygotes?.warm(true)
  return fixture
}

const seed = 'import numpy\nhash("which zygote")'

describe.runIf(process.getuid?.() === 0)('zygotes that come and go', () => {
  let fixture: Fixture | undefined
  afterEach(() => fixture?.close())

  test('[zygote.3] a worn zygote is replaced, and runs go on meanwhile, forked from the one or the other', async () => {
    const { python, runtime } = (fixture = await open({ tuning: { maxForks: 3 } }))
    const code = 'import sys\nis_forked = "numpy" in sys.modules\nimport numpy\n[hash("which zygote"), is_forked]'
    const seen = new Set<unknown>()
    const crowd = async () => {
      const ended = await Promise.all(Array.from({ length: 8 }, () => python(code)))
      for (const { result } of ended) {
        const [zygote, isForked] = result as [number, boolean]
        seen.add(zygote)
        expect(isForked).toBe(true)
      }
    }
    for (let round = 0; round < 200 && seen.size < 3; round++) await crowd()
    expect(seen.size).toBeGreaterThan(2)
    expect(runtime.zygotes?.isLoaded.data).toBe(true)
  })

  test('[zygote.3] a caller waits for the first zygote to load, and can abort', async () => {
    const { bash, runtime } = (fixture = await createFixture(uidBase, { poolSize: 0, zygotes: { ahead } }))
    const loading = runtime.warm()
    const left = new AbortController()
    const leaving = bash('echo one', { signal: left.signal })
    const staying = bash('echo two')
    left.abort()
    expect(await leaving).toMatchObject({ status: 'cancelled', stdout: '' })
    expect(runtime.zygotes?.isLoaded.plain).toBe(false)
    expect(await staying).toMatchObject({ status: 'succeeded', stdout: 'two\n' })
    const { hits = 0, misses = 0 } = runtime.zygotes?.stats ?? {}
    expect(hits + misses).toBe(1)
    await loading
  })

  test('[zygote.3] a zygote that dies is replaced; its guests fail, the next runs do not', async () => {
    const lost: unknown[] = []
    const { python, runtime } = (fixture = await open(
      { tuning: { lookMs: 100 } },
      {
        onFailure: (error) => void (error instanceof Error && error.message === 'the zygote died' && lost.push(error)),
      },
    ))
    const began = Promise.withResolvers<void>()
    const running = python('import numpy, time\nprint(1)\ntime.sleep(30)', { onOutput: () => began.resolve() })
    await began.promise
    for (const pid of loadedZygotes()) killIfThere(pid)
    expect(await running).toMatchObject({
      status: 'failed',
      error: { kind: 'internal', message: 'The sandbox ended unexpectedly' },
    })
    // until both are known to be gone, a guest that one of them had ready may still be handed out
    await expect.poll(() => lost.length).toBe(2)
    // in an ordinary sandbox, until there is a zygote again
    expect(await python('import numpy\nint(numpy.arange(4).sum())')).toMatchObject({ status: 'succeeded', result: 6 })
    await expect.poll(() => runtime.zygotes?.isLoaded, { timeout: 60_000 }).toEqual({ plain: true, data: true })
    expect(await python(seed)).toMatchObject({ status: 'succeeded', warm: true })
  }, 120_000)

  test('[zygote.3] it is given up when memory is short, said so, and loaded again when there is enough', async () => {
    let available = 10_000
    const { python, runtime } = (fixture = await open({ availableMb: () => available, tuning: { lookMs: 50 } }))
    available = 100
    await expect.poll(() => runtime.zygotes?.isLoaded).toEqual({ plain: false, data: false })
    await expect.poll(loadedZygotes).toEqual([])
    expect(runtime.health()).toEqual({ available: true, reason: expect.stringContaining('short of memory') })
    expect(await python('import numpy\n1')).toMatchObject({ status: 'succeeded', result: 1 })
    available = 10_000
    await expect.poll(() => runtime.zygotes?.isLoaded, { timeout: 60_000 }).toEqual({ plain: true, data: true })
    expect(runtime.health()).toEqual({ available: true })
  }, 120_000)
})

describe.runIf(process.getuid?.() === 0)('a zygote that stays', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await open()
  })
  afterAll(() => fixture.close())
  const python: Fixture['python'] = (code, ask) => fixture.python(code, ask)

  test('[zygote.3] a module that is missing is named, and no zygote is made', async () => {
    const spec = { binds: [], env: {}, home: '/home/guest', driver: '/usr', modules: ['no_such_module'], memoryMb: 256 }
    await expect(fixture.launcher.startZygote(spec)).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining("No module named 'driver'") },
    })
  })

  test('[zygote.4] a program sees the same with and without a zygote', async () => {
    // a file of its own goes before a module that was loaded already
    const own = await python('import numpy, six, pytz\n[six.mine, pytz.mine]', {
      files: { 'six.py': 'mine = 1', 'pytz/__init__.py': 'mine = 2' },
    })
    expect(own.result).toEqual([1, 2])
    expect((await python('import pandas\npandas.mine', { files: { 'pandas.py': 'mine = 3' } })).result).toBe(3)
    // settings that are read at import
    const backend = await python('import matplotlib.pyplot as plt\nplt.get_backend()', { env: { MPLBACKEND: 'svg' } })
    expect(backend.result).toBe('svg')
    for (const name of ['denials', 'enter', 'first', 'kernel', 'serve', 'warm_data']) {
      const told = await python(`import numpy\nimport ${name}`)
      expect(told.error?.message ?? 'imported').toMatch(name === 'warm_data' ? /./ : /No module named/)
    }
  })

  test('[zygote.4] the usual tools find what they look for in /proc, and nothing that is hidden elsewhere', async () => {
    const tools = ['ps aux', 'free', 'uptime', 'top -bn1', 'nproc', 'grep -c processor /proc/cpuinfo']
    const hidden = ['cmdline', 'kallsyms', 'keys', 'key-users'].map((name) => `test ! -s /proc/${name}`)
    const code = ['set -e', ...tools.map((tool) => `${tool} > /dev/null`), ...hidden, 'echo all'].join('\n')
    expect(await fixture.bash(code)).toMatchObject({ stdout: 'all\n', stderr: '' })
  })

  test('[zygote.4] plots, frames and solved equations come out of a fork', async () => {
    const plot = await python(
      'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.title("$x^2$ and words")\nplt.show()',
    )
    expect(Buffer.from(String(plot.displays[0]?.['image/png']), 'base64').subarray(1, 4).toString()).toBe('PNG')
    const frame = await python('import io, pandas as pd\npd.read_csv("in.csv").groupby("a").sum()["b"].to_dict()', {
      files: { 'in.csv': 'a,b\nx,1\ny,2\nx,3\n' },
    })
    expect(frame).toMatchObject({ result: { x: 4, y: 2 }, warm: true })
    const solved = await python('import numpy as np\nnp.linalg.solve(np.eye(300) * 2, np.ones(300)).sum()')
    expect(solved.result).toBe(150)
  })

  test('[zygote.4] its limits are its own: what the zygote holds does not count, what it takes does', async () => {
    const small = await python('import pandas\n1', { limits: { memoryMb: 32 } })
    expect(small).toMatchObject({ status: 'succeeded', result: 1 })
    expect(small.peakMemoryMb).toBeLessThan(32)
    const large = await python('import numpy\nx = numpy.ones(50_000_000)\n1', { limits: { memoryMb: 300 } })
    expect(large.error?.kind).toBe('memory')
  })
})

/** A fork that was just made looks like its zygote, and may be gone by now. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function loadedZygotes(): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
      const isZygote = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0/opt/fork/serve.py\0')
      return uid >= uidBase + 1024 && uid < uidBase + 2048 && isZygote ? [Number(pid)] : []
    } catch {
      return []
    }
  })
}
