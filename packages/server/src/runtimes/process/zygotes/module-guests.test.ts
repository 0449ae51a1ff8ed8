import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, createFixture, type Fixture, type Told } from '../process-fixture.ts'

const patience = { timeout: 50_000, interval: 50 }
const uidBase = 0x7a000000 + (process.pid % 0x800) * 0x1000

/** As the call of a tool loads its module. */
const code = `import importlib.util, os, sys
import coherex
module = sys.modules.get("tool")
if getattr(module, "__file__", None) != os.path.abspath("main.py"):
    spec = importlib.util.spec_from_file_location("tool", "main.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["tool"] = module
    spec.loader.exec_module(module)
module.main(coherex.input)
`

describe.runIf(process.getuid?.() === 0)('guests that have loaded the module of a tool', () => {
  let fixture: Fixture

  beforeAll(async () => {
    fixture = await createFixture(uidBase, {
      poolSize: 0,
      zygotes: {
        ahead: { plain: 1, data: 0 },
        availableMb: () => 4096,
      },
    })
    await fixture.runtime.zygotes?.warm()
  })
  afterAll(async () => fixture.close())

  const call = (key: string, main: string, { files = {}, fresh, ...ask }: Ask & { fresh?: boolean } = {}) =>
    fixture.python(code, {
      ...{ ...ask, entry: 'call_tool.py', files: { 'main.py': main, ...files } },
      kept: { key, module: 'main.py', ...(fresh && { fresh }) },
    })

  /** Calls until one finds its module loaded. */
  async function prepare(key: string, main: string, ask: Ask = {}): Promise<void> {
    await expect.poll(async () => (await call(key, main, ask)).kept, patience).toBe(true)
  }

  test('[zygote.8] a later call finds its module and the files beside it loaded', async () => {
    const main =
      'import os\nimport helper\nearly = not os.path.exists("call_tool.py")\ndef main(given): return [early, helper.two, given]'
    const files = { 'helper.py': 'two = 2' }
    expect(await call('greets', main, { files, input: 1 })).toMatchObject({ result: [false, 2, 1] })
    await prepare('greets', main, { files })
    await expect
      .poll(() => call('greets', main, { files, input: 3 }), patience)
      .toMatchObject({ result: [true, 2, 3], kept: true })
    expect((await call('greets', main, { files, input: 3, fresh: true })).kept).toBeUndefined()
    expect((await call('greets', main, { files, input: 3, env: { A: '1' } })).kept).toBeUndefined()
  })

  // each leaves something; the next call looks for it
  test.each<[string, string, string]>([
    ['a global of the module', 'global left; left = "left"', 'globals().get("left")'],
    ['a changed list of the module', 'state.append("left")', 'list(state)'],
    ['a changed builtin', 'import builtins; builtins.len = lambda one: "left"', 'len([1])'],
    ['a changed class', 'import json; json.JSONEncoder.encode = lambda *all: "left"', '__import__("json").dumps({})'],
    [
      'a module',
      'import sys, types; sys.modules["left"] = types.ModuleType("left")',
      '"left" in __import__("sys").modules',
    ],
    ['a path of imports', 'import sys; sys.path.insert(0, "/left")', '"/left" in __import__("sys").path'],
    ['a variable of the environment', 'import os; os.environ["LEFT"] = "left"', '__import__("os").environ.get("LEFT")'],
    ['the directory', 'import os; os.chdir("/tmp")', '__import__("os").getcwd()'],
    ['a file in the home', 'open("left", "w").write("left")', '__import__("os").path.exists("left")'],
    ['a file in /tmp', 'open("/tmp/left", "w").write("left")', '__import__("os").path.exists("/tmp/left")'],
    ['a changed file of its own', 'open("main.py", "a").write("left = 1")', 'open("main.py").read().count("left = 1")'],
    [
      'a thread',
      'import threading, time; threading.Thread(target=time.sleep, args=[60], daemon=True).start()',
      '__import__("threading").active_count()',
    ],
    [
      'a process',
      'import subprocess; subprocess.Popen(["sleep", "60"])',
      'len([one for one in __import__("os").listdir("/proc") if one.isdigit()])',
    ],
    ['a seed', 'import random; random.seed(1)', '__import__("random").random() == 0.13436424411240122'],
    ['an exit handler', 'import atexit; atexit.register(print, "left")', '0'],
    [
      'a limit',
      'import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))',
      '__import__("resource").getrlimit(7)',
    ],
    [
      'a handler of a signal',
      'import signal; signal.signal(15, signal.SIG_IGN)',
      'int(__import__("signal").getsignal(15))',
    ],
  ])('[zygote.8] no call sees %s of the one before', async (what, leave, seen) => {
    const main = `state = []\ndef main(given):\n    seen = ${seen}\n    if given:\n        ${leave.replaceAll('; ', '\n        ')}\n    return seen`
    const key = `leaves ${what}`
    const clean = await call(key, main, { input: false })
    const looks: Told[] = []
    const look = async () => {
      await call(key, main, { input: true })
      looks.push(await call(key, main, { input: false }))
      return looks.filter(({ kept }) => kept).length
    }
    await expect.poll(look, patience).toBe(3)
    expect(looks.map(({ result, stdout }) => [result, stdout])).toEqual(looks.map(() => [clean.result, '']))
  })

  test('[zygote.8] a guest serves its key alone', async () => {
    const main = (text: string) => `def main(given): return "${text}"`
    await prepare('one', main('one'))
    expect(await call('other', main('other'))).toMatchObject({ result: 'other' })
    await prepare('one', main('one'))
    expect(await call('one', main('one'))).toMatchObject({ result: 'one' })
  })

  test.each<[string, string]>([
    ['prints', 'print("now")\ndef main(given): return 1'],
    ['keeps a stream', 'import logging\nlogging.basicConfig()\ndef main(given): logging.warning("heard")\n'],
    ['asks for its input', 'import coherex\nsaid = coherex.input\ndef main(given): return said'],
    [
      'asks for what it may use',
      'import coherex\ntry:\n    given = coherex.ECHO\nexcept Exception:\n    given = None\ndef main(_): return given is None',
    ],
    ['raises', 'import os\nif not os.path.exists("call_tool.py"): raise OSError("not yet")\ndef main(given): return 1'],
    ['ends', 'import os\nif not os.path.exists("call_tool.py"): os._exit(3)\ndef main(given): return 1'],
  ])('[zygote.8] a module that %s is loaded by its call alone', async (what, main) => {
    const refused = () => fixture.runtime.zygotes?.sets.refused ?? 0
    const before = refused()
    const ask = { input: 'given', capabilities: { ECHO: { methods: {} } } }
    const first = await call(what, main, ask)
    await call(what, main, ask)
    await expect.poll(refused, patience).toBe(before + 1)
    const { stdout, stderr, result, kept } = await call(what, main, ask)
    expect([stdout, stderr, result, kept]).toEqual([first.stdout, first.stderr, first.result, undefined])
  })
})
