import { existsSync, readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { runtimeContract, type Samples, type Subject } from '../runtime.contract.ts'
import { createFixture } from './process-fixture.ts'
import type { ProcessRuntime, ProcessRuntimeOptions } from './process-runtime.ts'

const python: Samples = {
  language: 'python',
  entry: 'main.py',
  result: '{"text": "zß水🍌", "list": [1, 2.5, None, True], "nested": {"a": {}}}',
  nothing: 'x = 1',
  input: 'import coherex\ncoherex.input',
  variable: 'import os\nos.environ["GREETING"]',
  stdin: 'import sys\nsys.stdin.read()',
  prints: 'import sys\nprint("one")\nprint("two", file=sys.stderr)\nprint("three")\nprint("zß水🍌")',
  printsThenWaits: 'import time\nprint("ready")\nwhile True: time.sleep(1)',
  large: '"x" * 1_000_000',
  fails: 'def f():\n    # the mistake is below\n    raise ValueError("out of cheese")\nf()',
  malformed: 'x = 1\ny = = 2',
  burns: 'while True: pass',
  hoards: 'x = []\nwhile True: x.append(bytearray(1_000_000))',
  floods: 'for _ in range(50_000): print("x" * 99)\n"done"',
  files: 'import os\nos.mkdir("out")\nopen("out/new.txt", "w").write(open("data/in.txt").read().upper())\nNone',
  calls: `import coherex
def code(act):
    try: act()
    except coherex.CapabilityError as error: return error.code
[coherex.ECHO.ping(), coherex.ECHO.echo({"a": [1, "zß"]}), code(coherex.ECHO.refuse), code(coherex.ECHO.breaks)]`,
  manyCalls: `import coherex
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(20) as pool: answers = list(pool.map(coherex.ECHO.echo, range(1, 21)))
sum(answers)`,
  largeCalls: `import coherex
def code(value):
    try: coherex.ECHO.echo(value)
    except coherex.CapabilityError as error: return error.code
deep = []
for _ in range(198): deep = [deep]
large = [[1] * 1_100_000, {f"k{at}": 1 for at in range(110_000)}, [0.1234567890123456] * 450_000, deep]
[*map(code, large), coherex.ECHO.echo("after")]`,
  filesCapability: 'import coherex\ncoherex.FILES.write("a.txt", "hello")\ncoherex.FILES.read("a.txt")',
  leavesTraces: `import builtins, os
before = hasattr(builtins, "trace") or os.path.exists("/tmp/trace")
builtins.trace = True
open("/tmp/trace", "w").close()
before`,
}

const node: Samples = {
  language: 'node',
  entry: 'main.mjs',
  result: '({ text: "zß水🍌", list: [1, 2.5, null, true], nested: { a: {} } })',
  nothing: 'const x = 1',
  input: 'export default (env, input) => input',
  variable: 'process.env.GREETING',
  stdin: 'require("node:fs").readFileSync(0, "utf8")',
  prints: 'console.log("one")\nconsole.error("two")\nconsole.log("three")\nconsole.log("zß水🍌")',
  printsThenWaits: 'console.log("ready")\nsetInterval(() => {}, 1000)',
  large: '"x".repeat(1_000_000)',
  fails: 'function f() {\n  // the mistake is below\n  throw new Error("out of cheese")\n}\nf()',
  malformed: 'const x = 1\nconst y = = 2',
  burns: 'for (;;);',
  hoards: 'const x = []\nfor (;;) x.push(new Uint8Array(1_000_000).fill(1))',
  floods: 'for (let i = 0; i < 5_000; i++) console.log("x".repeat(999))\n"done"',
  files: `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
mkdirSync('out')
writeFileSync('out/new.txt', readFileSync('data/in.txt', 'utf8').toUpperCase())`,
  calls: `import { ECHO } from 'coherex'
const code = (act) => act().catch((error) => error.code)
export default async () => [await ECHO.ping(), await ECHO.echo({ a: [1, 'zß'] }), await code(ECHO.refuse), await code(ECHO.breaks)]`,
  manyCalls: `import { ECHO } from 'coherex'
const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ECHO.echo(at + 1)))
answers.reduce((sum, one) => sum + one)`,
  largeCalls: `import { ECHO } from 'coherex'
const codeOf = (value) => ECHO.echo(value).then(() => 'none', (error) => error.code)
const keys = () => Object.fromEntries(Array.from({ length: 110_000 }, (_, at) => ['k' + at, 1]))
let deep = []
for (let depth = 1; depth < 199; depth++) deep = [deep]
const large = [() => Array(1_100_000).fill(1), keys, () => Array(450_000).fill(0.1234567890123456), () => deep]
const codes = []
for (const make of large) codes.push(await codeOf(make()))
export default async () => [...codes, await ECHO.echo('after')]`,
  filesCapability: `import { FILES } from 'coherex'
await FILES.write('a.txt', 'hello')
await FILES.read('a.txt')`,
  leavesTraces: 'const before = "trace" in globalThis\nglobalThis.trace = true\nbefore',
}

/** The same programs, each with an import that a zygote has loaded already. */
const dataPython: Samples = {
  ...(Object.fromEntries(
    Object.entries(python).map(([name, code]) => [name, `import numpy\n${code}`]),
  ) as unknown as Samples),
  ...{ language: 'python', entry: 'main.py' },
  fails: 'import numpy\ndef f():\n    raise ValueError("out of cheese")\nf()',
  malformed: 'import numpy\ny = = 2',
}

let opened = 0

async function open(options: Partial<ProcessRuntimeOptions> = {}): Promise<Subject> {
  // above 1024 users for sandboxes there are those of the zygotes
  const fixture = await createFixture(0x70050000 + opened++ * 2000, options)
  return {
    runtime: fixture.runtime,
    close: fixture.close,
    leftovers: () => (existsSync(fixture.stateDir) ? readdirSync(fixture.stateDir) : []),
  }
}

async function openForked(data: boolean): Promise<Subject> {
  const ahead = { plain: 2, data: 2 }
  const subject = await open({ poolSize: 0, zygotes: { ahead } })
  const { zygotes } = subject.runtime as ProcessRuntime
  const close = async () => {
    // whatever ran was a fork: without this the suite would prove the way it falls back on
    const { hits, misses } = zygotes?.stats ?? { hits: 0, misses: 0 }
    expect(zygotes?.isLoaded).toMatchObject(data ? { data: true } : { plain: true })
    expect(hits + misses).toBeGreaterThan(0)
    await subject.close()
  }
  return { ...subject, close, runtime: { ...subject.runtime, warm: () => zygotes?.warm(data) ?? Promise.resolve() } }
}

runtimeContract('Python in a process', python, open)
describe.runIf(process.getuid?.() === 0)('forks of a zygote', () => {
  runtimeContract('Python in a fork', python, () => openForked(false))
  runtimeContract('Node in a fork', node, () => openForked(false))
  runtimeContract('Python with the data stack in a fork', dataPython, () => openForked(true))
})
runtimeContract('Node in a process', node, open)
