import { Buffer } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../process-fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(0x70510000)
})
afterAll(() => fixture.close())

const later = 'import asyncio\nasync def later():\n    await asyncio.sleep(0.01)\n    return 42\n'

test.each([
  ['after another await', `${later}await asyncio.sleep(0)\ntask = asyncio.create_task(later())\nawait task`],
  ['where only the last line awaits', `${later}task = asyncio.create_task(later())\nawait task`],
])('[process.2] a task is awaited in the loop it was made in: %s', async (_, code) => {
  expect(await fixture.python(code)).toMatchObject({ status: 'succeeded', result: 42 })
})

test('[process.2] a value that holds itself is told to where it does', async () => {
  const told = await fixture.python('a = {}\na["parts"] = [{"whole": a}, {"whole": a, "same": a}]\na')
  const whole = '[Circular]'
  expect(told.result).toEqual({ parts: [{ whole }, { whole, same: whole }] })
  const twice = await fixture.python('b = [1]\n[b, b]')
  expect(twice.result).toEqual([[1], [1]])
})

test.each([
  '[0.1234567890123456] * 450_000',
  '[1] * 1_100_000',
  '{str(at): at for at in range(21_000)}',
  '[{str(at): at for at in range(1_000)}] * 101',
])('[process.2] a result of more than the host reads fails with kind output: %s', async (code) => {
  const told = await fixture.python(code)
  expect([told.error?.kind, told.error?.message, told.signs]).toEqual([
    'output',
    'The result is too large to hand back: write it to a file',
    [],
  ])
})

test('[process.9] a display of more than the host reads is left out, and says so', async () => {
  const deep = 'import coherex\ndeep = []\nfor _ in range(250): deep = [deep]\n'
  const told = await fixture.python(`${deep}coherex.display({"application/json": deep}, raw=True)\nprint("after")`)
  expect(told).toMatchObject({ status: 'succeeded', stdout: 'after\n', signs: [] })
  expect(told.displays).toEqual([{ 'text/plain': '[a display was left out: its data are nested more than 199 deep]' }])
})

test('[process.2] numbers and times that are none', async () => {
  const told = await fixture.python('import numpy, pandas\n[pandas.NaT, pandas.NA, numpy.longdouble(1.5)]', {
    limits: { memoryMb: 1024 },
  })
  expect(told.result).toEqual([null, null, 1.5])
})

test('[process.2] times of numpy are times, whatever their unit', async () => {
  const told = await fixture.python(
    'import numpy as np, pandas as pd\nday = pd.Series([pd.Timestamp("2026-01-01"), pd.Timestamp("2026-01-02 12:00:00.5"), None])\n[day.to_numpy().astype("M8[ns]"), day.values[0], np.datetime64("NaT", "ns"), np.array([["2026-01-01"]], "M8[ns]"), np.array(["2026-01-01"], "M8[D]"), day.dt.tz_localize("UTC").array[:1], pd.Categorical(["a", None])]',
    { limits: { memoryMb: 1024 } },
  )
  expect(told.result).toEqual([
    ['2026-01-01T00:00:00', '2026-01-02T12:00:00.5', null],
    '2026-01-01T00:00:00',
    null,
    [['2026-01-01T00:00:00']],
    ['2026-01-01'],
    ['2026-01-01T00:00:00+00:00'],
    ['a', null],
  ])
})

test('[process.2] columns and rows of one name are all told', async () => {
  const told = await fixture.python(
    'import pandas as pd\n[pd.DataFrame([[1, 2, 3, 4, 5]], columns=["a", "a", "a.1", 1, "1"]), pd.Series([1, 2, 3], index=["x", "y", "x"]), pd.DataFrame([[1, "b"]])]',
    { limits: { memoryMb: 1024 } },
  )
  expect([told.result, told.stderr]).toEqual([
    [[{ a: 1, 'a.1': 2, 'a.1.1': 3, 1: 4, '1.1': 5 }], { x: 1, y: 2, 'x.1': 3 }, [{ 0: 1, 1: 'b' }]],
    '',
  ])
})

test('[process.3] a mark of the byte order is no mistake, and marks under a line are where they belong', async () => {
  expect(await fixture.python('\ufeff1')).toMatchObject({ status: 'succeeded', result: 1 })
  const told = await fixture.python('\ufeffx = 0\n\f\ny = 1 / x')
  expect(told.error).toMatchObject({ line: 3, column: 5 })
  expect(told.error?.stack).toContain('    y = 1 / x\n        ~~^~~\n')
})

test('[process.3] a syntax error in an import is told in one line, with its file', async () => {
  const told = await fixture.python('import bad', { files: { 'bad.py': 'x = (\n' } })
  expect(told.error).toMatchObject({ message: "SyntaxError: '(' was never closed (bad.py, line 1)", line: 1 })
})

test('[process.4] an exit code is told as a process tells it', async () => {
  expect(await fixture.python('import sys\nsys.exit(256)')).toMatchObject({ status: 'succeeded', exitCode: 0 })
  const mute = await fixture.python('import sys\nsys.stderr = None\nsys.exit("no")')
  expect(mute).toMatchObject({ error: { kind: 'runtime', message: 'Exited with code 1' }, stderr: 'no\n' })
  const large = await fixture.python('import sys\nsys.exit(10 ** 30)')
  expect(large.error).toMatchObject({ kind: 'runtime', message: 'Exited with code 255' })
  const speechless = await fixture.python(
    'import sys\nclass Reason:\n    def __str__(self): return 1 / 0\nsys.exit(Reason())',
  )
  expect(speechless).toMatchObject({ error: { kind: 'runtime', message: 'Exited with code 1' }, stderr: '\n' })
})

const shown = 'def thing(**methods): return type("Thing", (), {"__repr__": lambda self: "thing", **methods})()\n'

test('[process.9] a bundle is asked for as a notebook asks, and forms it lacks are added', async () => {
  const told = await fixture.python(
    `${shown}display(thing(_repr_mimebundle_=lambda self, include, exclude: {"text/html": "<i>"}, _repr_latex_=lambda self: "$x$", _repr_html_=lambda self: "other"))\ndisplay(thing(_repr_mimebundle_=lambda self: {"text/plain": "none asked"}))`,
  )
  expect(told.displays).toEqual([
    { 'text/plain': 'thing', 'text/html': '<i>', 'text/latex': '$x$' },
    { 'text/plain': 'none asked' },
  ])
})

test('[process.9] display() ignores a text/* representation that is no string, and results keep NaN', async () => {
  const told = await fixture.python(
    `${shown}for odd in (5, b"<b>", ["<b>"]):\n    display(thing(_repr_html_=lambda self: odd, _repr_png_=lambda self: 7))\ndisplay(thing(_repr_json_=lambda self: {"a": float("nan"), ("b", 1): {2}}))`,
  )
  expect(told.displays).toEqual([
    { 'text/plain': 'thing' },
    { 'text/plain': 'thing' },
    { 'text/plain': 'thing' },
    { 'text/plain': 'thing', 'application/json': { a: null, "('b', 1)": [2] } },
  ])
})

test('[process.9] a raw bundle may hold bytes', async () => {
  const told = await fixture.python('display({"image/png": b"abc", 5: "no type"}, raw=True)')
  expect(told).toMatchObject({ status: 'succeeded', displays: [{ 'image/png': 'YWJj' }] })
})

test('[process.9] a display that is named can be updated: the new value is shown', async () => {
  const told = await fixture.python(
    'print(display("none"))\nhandle = display("a", display_id=True)\nhandle.update("b")\ndisplay("c", display_id="own").display_id',
  )
  expect(told).toMatchObject({ status: 'succeeded', stdout: 'None\n', result: 'own' })
  expect(told.displays.map((data) => data['text/plain'])).toEqual(["'none'", "'a'", "'b'", "'c'"])
})

test('[process.9] publish_display_data() of IPython prints a display', async () => {
  const told = await fixture.python(
    'from IPython.display import publish_display_data\npublish_display_data({"text/html": "<i>"}, metadata={})',
    { limits: { memoryMb: 512 } },
  )
  expect(told).toMatchObject({ stdout: '', displays: [{ 'text/html': '<i>' }], files: [] })
})

test('[process.9] a figure with nothing on it is no image', async () => {
  const told = await fixture.python(
    'import matplotlib.pyplot as plt\nplt.figure()\nplt.figure().suptitle("words")\nplt.show()',
    { limits: { memoryMb: 1024 } },
  )
  expect(told.displays.map((data) => Object.keys(data))).toEqual([['text/plain'], ['text/plain', 'image/png']])
})

test('[process.9] a Python that the program starts draws, and has nobody to show it to', async () => {
  const plot = 'import matplotlib.pyplot as plt\nplt.plot([1])\nplt.savefig("a.png")\nplt.show()'
  const ask = { limits: { memoryMb: 1024 }, files: { 'plot.py': plot } }
  const started = await fixture.python('import subprocess\nsubprocess.run(["python3", "plot.py"]).returncode', ask)
  expect([started.result, [...started.files].map(({ path }) => path)]).toEqual([0, ['a.png']])
  const spawned = await fixture.python(
    `import multiprocessing\ndef work(at):\n${plot.replaceAll(/^/gm, '    ')}\nif __name__ == "__main__":\n    with multiprocessing.get_context("spawn").Pool(1) as pool: pool.map(work, [1])`,
    ask,
  )
  expect(spawned).toMatchObject({ status: 'succeeded', displays: [] })
})

test.each(['result', 'output', 'display', 'files', 'commands', 'shape', 'environment'])(
  '[process.10] a module of the program may have a name of ours: %s',
  async (name) => {
    const told = await fixture.python(
      `import ${name}\nfrom matplotlib import pyplot\npyplot.plot([1])\nimport coherex\ncoherex.display(1)\n${name}.mine`,
      { limits: { memoryMb: 1024 }, files: { [`${name}.py`]: 'mine = True' } },
    )
    expect(told.result).toBe(true)
    expect(told.displays.map((data) => Object.keys(data))).toEqual([['text/plain'], ['text/plain', 'image/png']])
  },
)

test('[process.10] a module of the program may have the name of one that Python has', async () => {
  const files = { 'json.py': 'mine = 1', 'signal.py': 'mine = 2', 'types/__init__.py': 'mine = 3', 'time.py': '1 / 0' }
  const told = await fixture.python(
    'import json, signal, types, time\n[json.mine, signal.mine, types.mine, time.time() > 0]',
    {
      files,
    },
  )
  expect(told.result).toEqual([1, 2, 3, true])
})

test('[process.5] a time zone and places of modules in the environment are those of the program', async () => {
  const told = await fixture.python(
    'import time, datetime, near, far\n[time.tzname[0], datetime.datetime.fromtimestamp(0).hour, near.value, far.value]',
    {
      env: { TZ: 'Asia/Tokyo', PYTHONPATH: 'lib:/none:more' },
      files: { 'lib/near.py': 'value = 1', 'more/near.py': 'value = 2', 'more/far.py': 'value = 3' },
    },
  )
  expect(told.result).toEqual(['JST', 9, 1, 3])
})

test('[process.6] open files are flushed at exit, also after an error and beside a running thread', async () => {
  const written = async (code: string) => {
    const { files, error } = await fixture.python(code)
    return [error?.message, ...files.map(({ path, bytes }) => `${path}: ${Buffer.from(bytes).toString()}`)]
  }
  expect(await written('f = open("a", "w")\nf.write("text")')).toEqual([undefined, 'a: text'])
  expect(await written('def g(): return f\nf = open("a", "w")\nf.write("text")\n1/0')).toEqual([
    'ZeroDivisionError: division by zero',
    'a: text',
  ])
  expect(await written('import sys\nsys.stdout = open("a", "w")\nprint("text")')).toEqual([undefined, 'a: text\n'])
  const thread = 'import threading, time\ndef g():\n    while True: time.sleep(0.001); f\n'
  expect(
    await written(`${thread}f = open("a", "wb")\nf.write(b"text")\nthreading.Thread(target=g, daemon=True).start()`),
  ).toEqual([undefined, 'a: text'])
})

test('[process.6] finalizers run at the end of the program', async () => {
  const told = await fixture.python(
    'import gzip, os, zipfile\ndef word(): return os.path.basename("well")\nclass Last:\n    def __init__(self): self.self = self\n    def __del__(self): print("gone", word())\nlast = Last()\ng = gzip.open("a.gz", "wt")\ng.write("text")\nz = zipfile.ZipFile("b.zip", "w")\nz.writestr("a", "b")',
  )
  expect(told).toMatchObject({ stdout: 'gone well\n', stderr: '' })
  expect(gunzipSync(told.files[0]?.bytes ?? '').toString()).toBe('text')
  expect(told.files[1]?.bytes.length).toBe(101)
})

test('[process.6] a file too deep for a path is left out, and that is no sign', async () => {
  const told = await fixture.python(
    'import os\ndeep = "/".join(["d" * 40] * 30)\nos.makedirs(deep)\nopen(f"{deep}/f", "w").close()\nopen("ok", "w").close()\nos.makedirs("a/" * 40)\nopen("a/" * 40 + "f", "w").close()',
  )
  expect(told.files.map((file) => file.path)).toEqual([`${'a/'.repeat(40)}f`, 'ok'])
  expect(told).toMatchObject({ truncated: true, signs: [] })
})

test('[process.1] a forked child that comes to the end of the program is not the program', async () => {
  const told = await fixture.python(
    'import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint("child" if pid == 0 else "parent")\npid > 0',
  )
  expect(told).toMatchObject({ stdout: 'child\nparent\n', result: true, signs: [] })
  const failed = await fixture.python(
    'import os\nif os.fork() == 0:\n    raise ValueError("in the child")\nos.waitstatus_to_exitcode(os.wait()[1])',
  )
  expect(failed).toMatchObject({ status: 'succeeded', result: 1, signs: [] })
  expect(failed.stderr).toContain('ValueError: in the child')
})

test('[process.8] a forked child is told that it cannot call, and shows what it displays as text', async () => {
  const told = await fixture.python(
    'import coherex, multiprocessing\ndef work(n):\n    display(n)\n    try: return coherex.ECHO.echo(n)\n    except coherex.CapabilityError as error: return error.code\nwith multiprocessing.Pool(2) as pool: found = pool.map(work, [7, 7, 7])\n[*found, coherex.ECHO.echo(8)]',
    { capabilities: { ECHO: { methods: { echo: async ([value]) => value } } } },
  )
  expect(told).toMatchObject({
    result: ['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 8],
    stdout: '7\n7\n7\n',
    signs: [],
  })
})

test('[process.18] processes that are on their way out are no sign, others are', async () => {
  const begin = 'import subprocess\nchildren = [subprocess.Popen(["sleep", "100"]) for _ in range(5)]\n'
  const ended = await fixture.python(`${begin}for child in children: child.terminate()`)
  expect(ended).toMatchObject({ status: 'succeeded', signs: [] })
  const left = await fixture.python(`${begin}children[0].terminate()`)
  expect(left.signs).toEqual([{ kind: 'unexpected-process', detail: 'processes that outlived the program: 4' }])
})

test.each(['spawn', 'forkserver', 'fork'])(
  '[process.18] the helpers of multiprocessing are no sign: %s',
  async (method) => {
    const told = await fixture.python(
      `import multiprocessing as mp\nfrom multiprocessing import shared_memory\ndef square(n): return n * n\nif __name__ == "__main__":\n    with mp.get_context("${method}").Pool(2) as pool: print(pool.map(square, [1, 2, 3]))\n    memory = shared_memory.SharedMemory(create=True, size=100)\n    memory.close()\n    memory.unlink()`,
    )
    expect(told).toMatchObject({ status: 'succeeded', stdout: '[1, 4, 9]\n', stderr: '', signs: [] })
  },
)
