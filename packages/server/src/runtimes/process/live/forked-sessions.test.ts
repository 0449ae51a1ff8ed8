import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PackageSet } from '../../package-set.ts'
import { contractLimits, runCell } from '../../sandbox-cells.ts'
import { createFixture, type Fixture } from '../process-fixture.ts'
import type { LiveSandbox } from './index.ts'

const uidBase = 0x61000000 + (process.pid % 0x8000) * 0x800
// a fork has the stack of the process that it came from
const isForked = `import os
stack_of = lambda pid: open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[25]
stack_of(1) == stack_of("self")`

const modules: Record<string, Record<string, string>> = {
  plain: { gift: 'answer = 42' },
  other: { late: 'answer = 43', numpy: 'own = 44' },
}
const pythonSet = (folder: string): PackageSet => ({
  ...{ hash: folder, language: 'python', folder, modules: Object.keys(modules[folder] ?? {}) },
})

let fixture: Fixture
let setsDir: string

beforeAll(async () => {
  setsDir = mkdtempSync(join(tmpdir(), 'coherex-sets-'))
  chmodSync(setsDir, 0o711)
  for (const [folder, files] of Object.entries(modules)) {
    mkdirSync(join(setsDir, folder, 'site'), { recursive: true })
    for (const [name, code] of Object.entries(files)) writeFileSync(join(setsDir, folder, 'site', `${name}.py`), code)
  }
  fixture = await createFixture(uidBase, { poolSize: 0, live: { ready: 1, limits: contractLimits }, setsDir })
  await fixture.runtime.warm()
})
afterAll(async () => {
  await fixture.close()
  rmSync(setsDir, { recursive: true, force: true })
})

interface Options {
  env?: Record<string, string>
  files?: Record<string, string>
  templateDir?: string
  sets?: string[]
}

/** A sandbox for one test. */
async function using(options: Options, act: (python: Python, sandbox: LiveSandbox) => Promise<void>): Promise<void> {
  const { env = {}, files = {}, templateDir, sets = [] } = options
  const domain = 'test'
  const sandbox = await fixture.runtime.open({
    limits: contractLimits,
    domain,
    env,
    ...(templateDir && { templateDir }),
    sets: sets.map(pythonSet),
  })
  try {
    for (const [path, text] of Object.entries(files)) {
      const written = await runCell(sandbox, 'bash', `mkdir -p "$(dirname ${path})"; cat > ${path}`, { stdin: text })
      expect(written.status).toBe('succeeded')
    }
    await act(async (code, context = 'python') => {
      const told = await runCell(sandbox, 'python', code, { context })
      expect(told.error).toBeUndefined()
      return told.result
    }, sandbox)
  } finally {
    await sandbox.close()
  }
}

type Python = (code: string, context?: string) => Promise<unknown>

describe.runIf(process.getuid?.() === 0)('Python sessions that a keeper forks', () => {
  test('[session.1] pandas and matplotlib are there when they are imported, and not before', async () => {
    await using({}, async (python) => {
      expect(await python(isForked)).toBe(true)
      const names = '["pandas", "numpy", "matplotlib", "csv", "decimal", "asyncio"]'
      expect(await python(`import sys\n[name for name in ${names} if name in sys.modules]`)).toEqual([])
      expect(await python('import csv, decimal\n[name for name in ("csv", "pandas") if name in sys.modules]')).toEqual([
        'csv',
      ])
      expect(
        await python(`import pandas as pd, numpy as np, matplotlib.pyplot as plt, asyncio
from pandas.core.frame import DataFrame
import importlib.util
frame = pd.DataFrame({"a": [1, 2]})
[int(frame.a.sum()), DataFrame is pd.DataFrame, pd.__spec__.name, pd.__spec__.origin == pd.__file__,
 importlib.util.find_spec("numpy").origin == np.__file__, sys.modules["pandas.core"].__name__]`),
      ).toEqual([3, true, 'pandas', true, true, 'pandas.core'])
      expect(await python('async def one():\n    return 1\nawait asyncio.create_task(one())')).toBe(1)
    })
  })

  test('[session.4] a figure is shown at the end of its cell', async () => {
    await using({}, async (_, sandbox) => {
      const told = await runCell(sandbox, 'python', 'import matplotlib.pyplot as plt\nplt.plot([1, 2]);')
      expect(told.output).toContainEqual(
        expect.objectContaining({
          stream: 'display',
          data: expect.objectContaining({ 'image/png': expect.any(String) }),
        }),
      )
    })
  })

  test('[session.1] a session looks as one whose interpreter was started for it', async () => {
    const look = `import os, signal, sys, threading
found = {
  "argv": sys.argv, "path": sys.path, "executable": sys.executable, "flags": list(sys.flags), "cwd": os.getcwd(),
  "environment": {name: value for name, value in os.environ.items()},
  "command": open("/proc/self/cmdline").read().rstrip("\\0").split("\\0"),
  "limits": [line.split() for line in open("/proc/self/limits") if "open files" in line],
  "signals": [str(signal.getsignal(number)) for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGTERM)],
  "leader": os.getsid(0) == os.getpid(), "parent": os.getppid(), "threads": sorted(one.name for one in threading.enumerate()),
  "descriptors": sorted(os.readlink(f"/proc/self/fd/{name}").split(":")[0] for name in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{name}")),
  "ours": [name for name in ("ahead", "channel", "driver", "enter", "keeper", "kernel", "loop", "processes", "streams", "trees", "warm_data") if name in sys.modules],
  "main": sorted(vars(sys.modules["__main__"]))[:3],
}
found`
    await using({ env: { TZ: 'Asia/Tokyo', GREETING: 'hello' } }, async (python) => {
      expect(await python(isForked)).toBe(true)
      const forked = await python(look)
      await using({ env: { TZ: 'Asia/Tokyo', GREETING: 'hello', OMP_NUM_THREADS: '2' } }, async (other) => {
        expect(await other(isForked)).toBe(false)
        const started = (await other(look)) as { environment: Record<string, string> }
        started.environment['OMP_NUM_THREADS'] = '1'
        expect(forked).toEqual(started)
      })
      expect(await python('import time\ntime.tzname[0]')).toBe('JST')
    })
  })

  test('[zygote.2] sessions of one sandbox have random numbers of their own', async () => {
    await using({}, async (python) => {
      const numbers = 'import random, uuid, numpy\n[random.random(), float(numpy.random.rand()), str(uuid.uuid4())]'
      const told = (await Promise.all(['a', 'b', 'c'].map((context) => python(numbers, context)))) as unknown[][]
      for (const at of [0, 1, 2]) expect(new Set(told.map((one) => one[at])).size).toBe(3)
    })
  })

  test('[keeper.4] an orphan that left its session stays with the others and goes with its own', async () => {
    await using({}, async (python, sandbox) => {
      const orphans =
        '[name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid()) and b"driver.py" in open(f"/proc/{name}/cmdline", "rb").read()]'
      await python(
        'import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(600)\n    os._exit(0)\nos.wait()\n0',
        'a',
      )
      await python('x = 1', 'b')
      await sandbox.reset('b')
      expect(await python(`import os\nlen(${orphans})`, 'c')).toBe(2)
      await sandbox.reset('a')
      expect(await python(`len(${orphans})`, 'c')).toBe(0)
    })
  })

  test('[session.1] own modules go before those that are loaded, whenever they come', async () => {
    await using({ files: { 'numpy.py': 'own = 1' } }, async (python) => {
      expect(await python(isForked)).toBe(false)
      expect(await python('import numpy\nnumpy.own')).toBe(1)
    })
    await using({ env: { PYTHONPATH: 'lib' }, files: { 'lib/pandas/__init__.py': 'own = 2' } }, async (python) => {
      expect(await python(isForked)).toBe(false)
      expect(await python('import pandas\npandas.own')).toBe(2)
    })
    await using({}, async (python) => {
      const write = 'for name in ("csv", "matplotlib"): open(f"{name}.py", "w").write("own = 3") and None'
      expect(await python(`${isForked}`)).toBe(true)
      await python(write)
      expect(
        await python('import csv, matplotlib, pandas\n[csv.own, matplotlib.own, pandas.Series([4]).sum().item()]'),
      ).toEqual([3, 3, 4])
    })
  })

  test('[sandbox.16] packages of the sandbox are there, and go before those that are loaded', async () => {
    await using({ sets: ['plain'] }, async (python, sandbox) => {
      expect(await python(isForked)).toBe(true)
      expect(await python('import gift, pandas\n[gift.answer, len(pandas.Series([1]))]')).toEqual([42, 1])
      await sandbox.usePackages([pythonSet('other')])
      expect(await python('import late\nlate.answer')).toBe(43)
      expect(await python('import numpy\nnumpy.own', 'fresh')).toBe(44)
    })
  })

  test('[session.1] a sandbox that is no fork starts its sessions, and so does one with other settings', async () => {
    await using({ templateDir: '/usr/share/misc' }, async (python) => {
      expect(await python(isForked)).toBe(false)
      expect(await python('import pandas\nlen(pandas.Series([1, 2]))')).toBe(2)
    })
    await using({ env: { MPLBACKEND: 'svg' } }, async (python) => {
      expect(await python('import matplotlib\nmatplotlib.get_backend()')).toBe('svg')
    })
  })

  test('[session.10] an idle session with pandas holds little of its own', async () => {
    await using({}, async (python) => {
      const own = await python(`import pandas, re
sum(int(size) for size in re.findall(r"Private_\\w+: +(\\d+)", open("/proc/self/smaps_rollup").read())) / 1024`)
      expect(own).toBeLessThan(15)
    })
  })
})
