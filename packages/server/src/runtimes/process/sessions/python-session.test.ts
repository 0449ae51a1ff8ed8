import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionFixture, type Session } from './session-fixture.ts'

let fixture: Awaited<ReturnType<typeof createSessionFixture>>
let python: Session

beforeAll(async () => {
  fixture = await createSessionFixture(0x70060000)
  python = await fixture.start('python', { GREETING: 'hello' })
})
afterAll(() => fixture.close())

describe('a Python session', () => {
  test('[session.1] keeps variables from cell to cell, and tells the last expression', async () => {
    expect(await python.run('import os\nx = 20\nprint(os.environ["GREETING"])')).toMatchObject({ stdout: 'hello\n' })
    expect((await python.run('x += 1\n{"x": [x, 2]}')).result).toEqual({ x: [21, 2] })
    expect((await python.run('_["x"][0], len(Out), In[2][:6]')).result).toEqual([21, 1, 'x += 1'])
    expect(await python.run('x;')).toMatchObject({ result: undefined, error: undefined })
    expect((await python.run('_3')).result).toEqual([21, 1, 'x += 1'])
  })

  test('[session.3] tells errors by cell and line, also of functions from earlier cells', async () => {
    await python.run('def divide(a):\n    return a / 0')
    const { error } = await python.run('y = 1\ndivide(y)')
    expect(error).toMatchObject({ kind: 'runtime', line: 2, column: 1, message: 'ZeroDivisionError: division by zero' })
    expect(error?.stack).toMatch(/Cell 7, line 2, in <module>\n {4}divide\(y\)\n {2}Cell 6, line 2, in divide/)
    expect(error?.stack).not.toContain('/opt/coherex')
    expect((await python.run('a = (1,\nb = 2')).error).toMatchObject({ kind: 'syntax', line: 1 })
    expect((await python.run('import sys\nsys.exit("no")')).error).toMatchObject({ message: 'Exited with code 1' })
    expect((await python.run('sys.exit(0)')).error).toBeUndefined()
    expect((await python.run('\ud800')).error?.kind).toBe('syntax')
    const evil = await python.run('class Evil(Exception):\n    def __str__(self): raise SystemExit\nraise Evil')
    expect(evil.error?.kind).toBe('runtime')
    const chain = await python.run(
      'e = None\nfor at in range(100_000):\n    f = Exception(at)\n    f.__cause__ = e\n    e = f\nraise e',
    )
    expect(chain.error).toMatchObject({ kind: 'runtime', message: 'Exception: 99999', line: 6 })
    await python.run('del e, f, at')
    expect((await python.run('sys.stderr = None\nsys.exit("no")')).error?.kind).toBe('runtime')
    await python.run('sys.stderr = sys.__stderr__')
    const large = await python.run('sys.exit(10 ** 30)')
    expect(large.error).toMatchObject({ message: 'Exited with code 255', exitCode: 255 })
    expect((await python.run('sys.exit(256)')).error).toBeUndefined()
    const speechless = await python.run('class Reason:\n    def __str__(self): return 1 / 0\nsys.exit(Reason())')
    expect(speechless.error).toMatchObject({ message: 'Exited with code 1', exitCode: 1 })
    expect((await python.run('x')).result).toBe(21)
  })

  test('[session.3] tells a wrong name with the one that was meant', async () => {
    const { error } = await python.run('pritn(1)')
    expect(error).toMatchObject({ message: "NameError: name 'pritn' is not defined. Did you mean: 'print'?", line: 1 })
  })

  test('[session.3] shows the line that failed as it is, with marks where they belong', async () => {
    const told = await python.run('text = "\u2028\x0c"\n1 / 0')
    expect(told.error?.stack).toContain('line 2, in <module>\n    1 / 0\n    ~~^~~\n')
    await python.run('%time "first"')
    expect((await python.run('%time 1 / 0')).error?.stack).toContain('    1 / 0\n    ~~^~~\n')
  })

  test('[session.1] a semicolon at the end keeps the value back, one in a comment does not', async () => {
    for (const code of ['5; # why', '(5) ;', '"é";# "x"', 'name = 1\n5;\n# after\n']) {
      expect(await python.run(code)).toMatchObject({ result: undefined, error: undefined })
    }
    expect((await python.run('5 # why;')).result).toBe(5)
    expect((await python.run('"""\na;"""')).result).toBe('\na;')
    expect((await python.run('%time 7;')).result).toBeUndefined()
  })

  test('[session.4] each cell warns, also of what an earlier one warned of', async () => {
    const code = 'import warnings\nwarnings.warn("careful")'
    expect((await python.run(code)).stderr).toContain('UserWarning: careful')
    expect((await python.run(code)).stderr).toContain('UserWarning: careful')
  })

  test('[session.2] an interrupt stops loops, sleeps, commands, awaits and printing, and keeps the state', async () => {
    const forever = [
      'print("up")\nwhile True: pass',
      'import time\nprint("up")\ntime.sleep(60)',
      'print("up")\n!sleep 60',
      'import subprocess\nprint("up")\nsubprocess.run(["sleep", "60"])',
      'import asyncio\nprint("up")\nawait asyncio.sleep(60)',
      'print("up")\nasync def spin():\n    while True: pass\nawait spin()',
      'while True: print("up")',
      'print("up")\ninput()',
    ]
    for (const code of forever) {
      let isAsked = false
      const told = await python.run(code, {
        isInteractive: true,
        onMessage(message, session) {
          if (message.type !== 'output' || isAsked) return
          isAsked = true
          session.interrupt()
        },
      })
      expect(told, code).toMatchObject({ interrupted: true, ended: false })
      expect(told.error?.message, code).toContain('KeyboardInterrupt')
      expect((await python.run('x')).result).toBe(21)
    }
    python.interrupt()
    expect((await python.run('x')).result).toBe(21)
  })

  test('[session.4] output is in order, whoever wrote it', async () => {
    const told = await python.run(
      'import sys, os, subprocess, threading\nprint("one")\nsubprocess.run(["echo", "two"])\nprint("three", file=sys.stderr)\nos.write(1, b"four\\n")\ndisplay(5)\nt = threading.Thread(target=print, args=("six",)); t.start(); t.join()\n!echo seven',
    )
    expect(told.pieces.join('').replaceAll('stdout:', '')).toBe('one\ntwo\nstderr:three\nfour\nsix\nseven\n')
    expect(told.displays).toEqual([{ 'text/plain': '5' }])
  })

  test('[session.4] output is cut at the limit of its cell, and the next cell has its own', async () => {
    const flood = await python.run('for _ in range(100_000): print("x" * 99)\nprint("end")', { outputBytes: 10_000 })
    expect(flood).toMatchObject({ truncated: true, ended: false })
    expect(flood.stdout.length).toBe(10_001)
    expect(await python.run('print("fresh")')).toMatchObject({ stdout: 'fresh\n', truncated: false })
    expect((await python.run('"\\ud800"')).result).toBe('?')
    expect((await python.run('"x" * 20_000_000')).error?.kind).toBe('output')
    expect(await python.run('os.write(1, b"\\xff\\xfe\\n"); print("\\ud800")')).toMatchObject({ stdout: '��\n?\n' })
  })

  test('[session.4] closing the streams costs one cell its output and the session nothing', async () => {
    await python.run('import os, sys\nsys.stdout.close()\nos.close(1)\nos.close(2)\nos.close(0)')
    expect(await python.run('print("back")\n!echo and commands')).toMatchObject({ stdout: 'back\nand commands\n' })
  })

  test('[session.7] a forked child ends with its cell and says nothing for the session', async () => {
    const told = await python.run(
      'pid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint("child" if pid == 0 else "parent")',
    )
    expect(told).toMatchObject({ stdout: 'child\nparent\n', error: undefined })
    expect((await python.run('x')).result).toBe(21)
  })

  test('[session.1] awaits at the top level, and tasks go on between cells', async () => {
    await python.run(
      'import asyncio\nseen = asyncio.Event()\nasync def later():\n    await asyncio.sleep(0.01)\n    open("later.txt", "w").write("done")\n    seen.set()\ntask = asyncio.create_task(later())',
    )
    // a plain cell cannot let the task go on: what it sees happened between the cells
    const waits = 'import time, os\nos.path.exists("later.txt")'
    let exists: unknown = false
    while (exists !== true) exists = (await python.run(waits)).result
    expect((await python.run('await seen.wait()')).result).toBe(true)
    expect((await python.run('asyncio.run(asyncio.sleep(0, "own loop"))')).result).toBe('own loop')
  })

  test('[session.5] asks for a line, and for a secret', async () => {
    const asked: unknown[] = []
    const answers = ['Ada', 'hush', undefined]
    const told = await python.run(
      'import getpass\nname = input("Name? ")\nsecret = getpass.getpass("Key? ")\ntry: input("More? ")\nexcept EOFError: print("end")\nname, secret',
      {
        isInteractive: true,
        onMessage(message, session) {
          if (message.type !== 'stdin-request') return
          asked.push([message.prompt, message.secret])
          const text = answers.shift()
          session.send({ type: 'stdin', id: message.id, ...(text !== undefined && { text }) })
        },
      },
    )
    expect(told).toMatchObject({ result: ['Ada', 'hush'], stdout: 'end\n' })
    expect(asked).toEqual([
      ['Name? ', false],
      ['Key? ', true],
      ['More? ', false],
    ])
    const piped = await python.run(
      'a = input("? ")\n!head -n 1\nimport sys\na, sys.stdin.read(), sys.stdin.readline()',
      {
        stdin: 'one\ntwo\nthree\nfour',
      },
    )
    expect(piped.result).toEqual(['one', 'three\nfour', ''])
  })

  test('[session.9] magics', async () => {
    expect((await python.run('lines = !printf "a\\nb\\n"\nlines, lines.n')).result).toEqual([['a', 'b'], 'a\nb'])
    expect(await python.run('name = "w"\n!echo {name * 3} $name $HOME')).toMatchObject({
      stdout: 'www w /home/guest\n',
    })
    expect((await python.run('%time 6 * 7')).result).toBe(42)
    expect((await python.run('%timeit x')).stdout).toMatch(/per loop/)
    expect((await python.run('%timeit -n 2 -r3 turns = 1')).stdout).toMatch(/of 3 runs, 2 loops each\)\n$/)
    expect((await python.run('%%timeit -r 1 -n1 turns = 5\nturns += 1')).stdout).toMatch(/of 1 run, 1 loop each\)\n$/)
    expect((await python.run('turns')).error?.message).toContain("NameError: name 'turns' is not defined")
    expect((await python.run('%timeit -n 0 1')).error?.message).toContain('at least once')
    expect((await python.run('%%writefile made/a.txt\nhi')).error?.message).toContain('No such file')
    expect(await python.run('%%writefile a.txt\nhi')).toMatchObject({ stdout: 'Writing a.txt\n' })
    expect(await python.run('%%bash\ncat a.txt; echo; cd /tmp; pwd')).toMatchObject({ stdout: 'hi\n/tmp\n' })
    expect((await python.run('%%bash\nexit 3')).error?.message).toContain('exit status 3')
    expect((await python.run('%cd /tmp\n%pwd')).result).toBe('/tmp')
    expect((await python.run('%cd -\nfor i in range(2):\n    %env A={i}\nimport os; os.environ["A"]')).result).toBe('1')
    expect((await python.run('%%capture kept\nprint("in"); display(7)')).stdout).toBe('')
    expect((await python.run('kept.stdout, kept.outputs')).result).toEqual(['in\n', [{ 'text/plain': '7' }]])
    expect((await python.run('%%time\n1\n1/0')).error).toMatchObject({ line: 3 })
    expect((await python.run('%%html\n<b>x</b>')).displays).toEqual([{ 'text/html': '<b>x</b>' }])
    expect((await python.run('divide?')).displays[0]?.['text/plain']).toContain('Signature: divide(a)')
    expect((await python.run('divide??')).displays[0]?.['text/plain']).toContain('return a / 0')
    expect((await python.run('text = """\n%time is text\n!ls\n"""\ntext')).result).toBe('\n%time is text\n!ls\n')
    expect((await python.run('%who')).stdout).toContain('divide')
    expect((await python.run('%load_ext sql')).error?.message).toContain('%load_ext is refused')
    expect((await python.run('%nonsense')).error?.message).toContain('There is no %nonsense here')
    expect((await python.run('%pip install humanize')).error?.message).toContain('no network')
    expect((await python.run('%%writefile m.py\nvalue = 5\n')).error).toBeUndefined()
    expect((await python.run('%run m\nvalue')).result).toBe(5)
  })

  test('[session.9] %timeit leaves the session as it was', async () => {
    await python.run('kept = [1]\nheld = 1\ndef double(n):\n    return n * 2')
    expect((await python.run('%timeit -n 2 -r 1 held = double(5)\nheld')).result).toBe(1)
    expect(
      (await python.run('%%timeit -n 2 -r 1 kept = [5]\nmore = kept + [6]\nkept.append(more)')).error,
    ).toBeUndefined()
    expect((await python.run("kept, 'more' in globals()")).result).toEqual([[1], false])
    expect((await python.run('%timeit -n 1 -r 1 held += 1')).error?.message).toContain('UnboundLocalError')
    expect((await python.run('%%timeit -n 1 -r 1\n1\n1 / 0')).error).toMatchObject({ line: 3 })
    expect((await python.run('%%timeit -n 1 -r 1\n!echo in a command')).stdout).toContain('in a command\n')
  })

  test('[session.9] line magics go on while brackets are open', async () => {
    expect((await python.run('found = %time double(\n    4\n)\nfound')).result).toBe(8)
    expect((await python.run('%timeit -n 1 -r 1 double(\n  [1,\n   2])')).stdout).toContain('per loop')
    expect((await python.run('for n in range(2):\n    %time last = double(\n        n)\nlast')).result).toBe(2)
    expect((await python.run("%time double('''\n)''')\n")).result).toBe('\n)\n)')
    expect((await python.run('%env A=(\n[1, 2][0] / 0')).error).toMatchObject({ line: 2 })
    expect((await python.run('!echo "("\n7')).result).toBe(7)
  })

  test('[session.9] settings of notebooks fail no cell', async () => {
    const text = async (code: string) => (await python.run(code)).text
    expect((await python.run('%precision 3')).result).toBe('%.3f')
    expect(await text('import math\nmath.pi, [2 / 3, {"a": 0.5}]')).toBe("(3.142, [0.667, {'a': 0.500}])")
    expect((await python.run('math.pi')).result).toBe(Math.PI)
    expect(await text('import numpy\n%precision 2\nnumpy.array([1 / 3])')).toBe('array([0.33])')
    expect(await text('%precision %.1e\nmath.pi')).toBe('3.1e+00')
    expect((await python.run('%precision wide')).error?.message).toContain('neither a number')
    expect(await text('%precision\nmath.pi')).toBe('3.141592653589793')

    expect((await python.run('%config IPCompleter.greedy = True')).stdout).toContain('has no effect here')
    const plot = 'import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])'
    const sized = async (format: string) => {
      const { displays } = await python.run(`%config InlineBackend.figure_format = ${format}\n${plot}`)
      return Object.keys(displays[0] ?? {}).concat(String(String(displays[0]?.['image/png'] ?? '').length))
    }
    const [, , small] = await sized("'png'")
    const [, kind, large] = await sized("'retina'")
    expect(kind).toBe('image/png')
    expect(Number(large)).toBeGreaterThan(Number(small))
    expect(await sized("['svg']")).toContain('image/svg+xml')
    expect((await python.run("%config InlineBackend.figure_format = 'gif'")).error?.message).toContain('not as')
    await sized('png')

    expect(await python.run('%load_ext autoreload\n%autoreload 2')).toMatchObject({ error: undefined, stdout: '' })
    await python.run('%%writefile changing.py\nvalue = 1\ndef tell(): return value')
    expect((await python.run('import changing\nfrom changing import tell\ntell()')).result).toBe(1)
    await python.run('%%writefile changing.py\nvalue = 22\ndef tell(): return value')
    expect((await python.run('changing.value, tell()')).result).toEqual([22, 22])
    await python.run('%%writefile changing.py\nvalue = (')
    expect(await python.run('changing.value')).toMatchObject({
      result: 22,
      stderr: expect.stringContaining('changing failed'),
    })
    await python.run('%autoreload 0')
  })

  test('[session.1] the last value has its repr beside its JSON', async () => {
    for (const [code, result, text] of [
      ['1.0', 1, '1.0'],
      ['"a"', 'a', "'a'"],
      ['(1, 2.0)', [1, 2], '(1, 2.0)'],
      ['{1: None}', { 1: null }, '{1: None}'],
      ['float("nan")', null, 'nan'],
      ['10 ** 20', '100000000000000000000', '100000000000000000000'],
      ['None', undefined, undefined],
    ] as const) {
      const told = await python.run(code)
      expect([told.result, told.text]).toEqual([result, text])
    }
    expect((await python.run('"x" * 20_000')).text).toHaveLength(10_001)
  })

  test('[session.4] rich values', async () => {
    await python.run(
      'class Rich:\n    def _repr_mimebundle_(self, **_): return {"text/html": "<i>r</i>"}\n    def __repr__(self): return "Rich!"',
    )
    expect(await python.run('Rich()')).toMatchObject({
      displays: [{ 'text/plain': 'Rich!', 'text/html': '<i>r</i>' }],
      result: 'Rich!',
    })
    expect(await python.run('handle = display(1, display_id=True)\nhandle.update(2)')).toMatchObject({
      displays: [{ 'text/plain': '1' }, { 'text/plain': '2' }],
      error: undefined,
    })
    const plot = await python.run('import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])')
    expect(Object.keys(plot.displays[0] ?? {})).toContain('image/png')
  })

  test('[session.8] a call of more than the host reads is an error of the cell', async () => {
    const told = await python.run(
      'import coherex\ntry: coherex.ECHO.ping([1] * 1_100_000)\nexcept coherex.CapabilityError as error: code = error.code\ncode',
      { capabilities: { ECHO: ['ping'] } },
    )
    expect(told).toMatchObject({ result: 'LIMIT_EXCEEDED' })
  })

  test('[session.8] capabilities are those of the cell', async () => {
    const call = 'import coherex\ncoherex.ECHO.ping(1), coherex.input'
    const told = await python.run(call, {
      capabilities: { ECHO: ['ping'] },
      input: { a: 1 },
      onMessage(message, session) {
        if (message.type === 'call') session.send({ type: 'answer', id: message.id, value: 'pong' })
      },
    })
    expect(told.result).toEqual(['pong', { a: 1 }])
    expect((await python.run(call)).error?.message).toContain('ECHO was not granted')
  })

  test('[session.1] a module of the guest may have a name of ours', async () => {
    await python.run('%%writefile result.py\nmine = True')
    expect((await python.run('import result\nresult.mine')).result).toBe(true)
    await python.run('%%writefile display.py\nmine = True')
    expect((await python.run('import display as own\nown.mine')).result).toBe(true)
    expect((await python.run('%%html\n<b>')).displays).toEqual([{ 'text/html': '<b>' }])
  })

  test('[session.1] begins with the time zone and the places of modules that its environment names', async () => {
    const other = await fixture.start('python', { TZ: 'Asia/Tokyo', PYTHONPATH: 'lib' })
    await other.run('import os\nos.mkdir("lib")\nopen("lib/near.py", "w").write("value = 1")')
    expect((await other.run('import time, near\n[time.tzname[0], near.value]')).result).toEqual(['JST', 1])
  })

  test('[session.6] completions: variables, attributes and keys, however slow a value is', async () => {
    await python.run(
      '%reset\nimport json\nsales_total = 7\nprices = {"apple": 1, "apricot": 2, "plum": 3}\nclass Slow:\n    fast = 1\n    def __dir__(self):\n        while True: pass\nslow = Slow()\nclass Nested:\n    inner = prices\n    def _hidden(self): pass\n    def shown(self): pass\nnested = Nested()',
    )
    const namesOf = async (code: string) => {
      const { prefix, items } = await python.complete(code)
      return [prefix, items.map(({ name, kind }) => `${name} ${kind}`)]
    }
    expect(await namesOf('x = 1\nprint(sales')).toEqual(['sales', ['sales_total variable']])
    expect(await namesOf('json.dum')).toEqual(['dum', ['dump method', 'dumps method']])
    expect(await namesOf('nested.')).toEqual(['', ['inner property', 'shown method']])
    expect(await namesOf('nested._hid')).toEqual(['_hid', ['_hidden method']])
    expect(await namesOf('nested.inner["ap')).toEqual(['ap', ['apple field', 'apricot field']])
    expect(await namesOf("prices['pl")).toEqual(['pl', ['plum field']])
    expect(await namesOf('whi')).toEqual(['whi', ['while keyword']])
    for (const code of ['slow.', 'nothing.a', '"text".up', 'f().a', '5']) {
      expect((await namesOf(code))[1]).toEqual([])
    }
    expect((await python.run('sales_total')).result).toBe(7)
  })

  test('[session.6] variables: type, short value, size and shape, whatever their repr does', async () => {
    await python.run(
      '%reset\nimport numpy as np, pandas as pd\nnumber = 7\nlong = list(range(1_000_000))\nframe = pd.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]}, index=["i", "j", "k"])\ngrid = np.arange(6).reshape(2, 3)\nrows = [{"n": 1}, {"n": 2, "m": 3}]\nclass Slow:\n    def __repr__(self):\n        while True: pass\nclass Broken:\n    def __repr__(self): raise SystemExit\nslow, broken = Slow(), Broken()',
    )
    const items = Object.fromEntries((await python.variables()).map((item) => [item.name, item]))
    expect(Object.keys(items)).toEqual(['Broken', 'Slow', 'broken', 'frame', 'grid', 'long', 'number', 'rows', 'slow'])
    expect(items['number']).toMatchObject({ type: 'int', value: '7' })
    expect(items['long']).toMatchObject({ type: 'list', shape: [1_000_000] })
    expect(items['long']?.value.length).toBeLessThanOrEqual(200)
    expect(items['frame']).toMatchObject({ type: 'DataFrame', shape: [3, 2] })
    expect(items['grid']).toMatchObject({ type: 'ndarray', shape: [2, 3], size: 48 })
    expect(items['slow']).toMatchObject({ type: 'Slow', value: '…' })
    // as pandas has called it since version 3, and before
    const text = expect.stringMatching(/^(str|object)$/) as string
    expect(await python.variable('frame', 1, 2)).toMatchObject({
      table: {
        columns: [
          { name: '', type: text },
          { name: 'a', type: 'int64' },
          { name: 'b', type: text },
        ],
        rows: [
          ['j', 2, null],
          ['k', 3, 'z'],
        ],
        offset: 1,
        total: 3,
      },
    })
    expect((await python.variable('grid'))?.table?.rows).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
    expect((await python.variable('rows'))?.table?.rows).toEqual([
      [1, null],
      [2, 3],
    ])
    expect((await python.variable('number'))?.text).toBe('7')
    expect((await python.variable('slow'))?.text).toBe('…')
    expect(await python.variable('missing')).toBeUndefined()
  })

  test('[session.9] %pip installs from files of the sandbox', async (context) => {
    if (!existsSync('/usr/lib/python3/dist-packages/pip')) return context.skip('needs python3-pip')
    await python.run(
      'import zipfile\nwith zipfile.ZipFile("gift-1.0-py3-none-any.whl", "w") as wheel:\n    wheel.writestr("gift.py", "value = 42")\n    wheel.writestr("gift-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: gift\\nVersion: 1.0\\n")\n    wheel.writestr("gift-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")\n    wheel.writestr("gift-1.0.dist-info/RECORD", "")',
    )
    expect((await python.run('%pip install ./gift-1.0-py3-none-any.whl')).error).toBeUndefined()
    expect((await python.run('import gift\ngift.value')).result).toBe(42)
  })

  test('[session.10] an idle session is small', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('needs root')
    const idle = await fixture.start('python')
    await idle.run('1')
    const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${idle.driver()}/smaps_rollup`, 'utf8')) ?? []
    expect(Number(kilobytes)).toBeLessThan(40 * 1024)
    await idle.close()
  })

  test('[session.7] os._exit ends the session', async () => {
    expect(await python.run('import os\nprint("last")\nos._exit(3)')).toMatchObject({ ended: true })
  })
})
