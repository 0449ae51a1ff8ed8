import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchStretch } from '../../../tests/harness/load/machine-stretch.ts'
import { type Capabilities, CapabilityError } from '../../capabilities/index.ts'
import { createFixture, type Fixture } from './process-fixture.ts'

let fixture: Fixture
let wheels: string

beforeAll(async () => {
  wheels = mkdtempSync(join(tmpdir(), 'coherex-wheels-'))
  makeWheel(wheels)
  fixture = await createFixture(0x70040000, { packagesDir: wheels })
})
afterAll(async () => {
  await fixture.close()
  rmSync(wheels, { recursive: true })
})

/** A real wheel, which is a zip of a package and its metadata. */
function makeWheel(directory: string): void {
  const source = join(directory, '.source')
  mkdirSync(join(source, 'gift'), { recursive: true })
  mkdirSync(join(source, 'gift-1.2.dist-info'))
  writeFileSync(join(source, 'gift/__init__.py'), 'VALUE = 42\n')
  writeFileSync(join(source, 'gift-1.2.dist-info/METADATA'), 'Metadata-Version: 2.1\nName: gift\nVersion: 1.2\n')
  const wheel = join(directory, 'gift-1.2-py3-none-any.whl')
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', wheel, 'gift', 'gift-1.2.dist-info'], { cwd: source })
}

const held: Capabilities = {
  ECHO: { methods: { ping: async () => 'pong', echo: async ([value]) => value } },
  FILES: {
    methods: {
      read: async ([path, options]) => {
        if (path === 'missing') throw new CapabilityError('ENOENT', 'no such file')
        return { path, options }
      },
      broken: async () => {
        throw new Error('connect to postgres://secret failed')
      },
    },
  },
}

describe('Python', () => {
  test('[process.1] output, in order, whoever wrote it', async () => {
    const told = await fixture.python(
      'import sys, os, subprocess\nprint("one")\nsubprocess.run(["echo", "two"])\nprint("three", file=sys.stderr)\nos.write(1, b"four\\n")\nprint("five")\ndisplay(6)\nprint("seven")',
    )
    const pieces = told.lines.map((line) => ('text' in line ? `${line.stream}:${line.text}` : 'display'))
    expect(pieces.join('').replaceAll('stdout:', '')).toBe('one\ntwo\nstderr:three\nfour\nfive\ndisplayseven\n')
    expect(told.status).toBe('succeeded')
  })

  test('[process.2] the last value has its repr beside its JSON', async () => {
    expect(await fixture.python('1.0')).toMatchObject({ result: 1, resultText: '1.0' })
    expect(await fixture.python('["a", (2.0,)]')).toMatchObject({ result: ['a', [2]], resultText: "['a', (2.0,)]" })
    expect(await fixture.python('None')).not.toHaveProperty('resultText')
  })

  test('[process.1] output comes while the program runs', async () => {
    const release = new AbortController()
    const told = await fixture.python('print("first", flush=True)\nwhile True: pass', {
      signal: release.signal,
      onOutput: () => release.abort(),
    })
    expect(told).toMatchObject({ status: 'cancelled', stdout: 'first\n' })
  })

  test('[process.1] a line without an end is output too, at the end, while the program runs and before the next stream', async () => {
    expect(await fixture.python('print("no end", end="")')).toMatchObject({ stdout: 'no end' })
    const mixed = await fixture.python('import sys\nprint("a", end="")\nsys.stderr.write("b")\nprint("c", end="")')
    expect(mixed).toMatchObject({ stdout: 'ac', stderr: 'b' })
    const stop = new AbortController()
    const cut = await fixture.python('print("half", end="")\nwhile True: pass', {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    })
    expect(cut).toMatchObject({ status: 'cancelled', stdout: 'half' })
  })

  test('[process.2] the last expression is the result, as JSON', async () => {
    const told = await fixture.python('x = {"a": [1, 2.5, None, True], "ü": "水🍌", 3: (4,)}\nx')
    expect(told.result).toEqual({ a: [1, 2.5, null, true], ü: '水🍌', 3: [4] })
  })

  test.each([
    ['a statement has none', 'x = 1', undefined],
    ['None has none', 'None', undefined],
    [
      'what JSON lacks becomes the nearest',
      '[float("nan"), 2**70, b"\\x00", {1}]',
      [null, String(2n ** 70n), 'AA==', [1]],
    ],
    ['await works at the top', 'import asyncio\nasync def f(): return 7\nawait f()', 7],
    ['other objects are shown', 'object.__new__(type("Odd", (), {"__repr__": lambda s: "<odd>"}))', '<odd>'],
  ])('[process.2] result: %s', async (_, code, result) => {
    expect((await fixture.python(code)).result).toEqual(result)
  })

  test('[process.2] a large result comes whole, a huge one is refused with a reason', async () => {
    expect((await fixture.python('"x" * 5_000_000')).result).toHaveLength(5_000_000)
    const huge = await fixture.python('"x" * 40_000_000')
    expect(huge.error).toMatchObject({ kind: 'output', message: expect.stringContaining('too large') })
  })

  test('[process.3] an error is told in the author’s lines, columns and paths', async () => {
    const told = await fixture.python('import part\ndef f():\n    return part.divide("ü", 0)\nf()', {
      files: { 'part.py': 'def divide(name, b):\n    return 1 / b\n' },
    })
    expect(told.error).toMatchObject({
      kind: 'runtime',
      message: 'ZeroDivisionError: division by zero',
      line: 3,
      column: 12,
    })
    expect(told.error?.stack).toContain('File "part.py", line 2, in divide')
    expect(told.error?.stack).not.toMatch(/\/opt|driver|\/home/)
  })

  test('[process.3] a wrong name is told with the one that was meant', async () => {
    const told = async (code: string) => (await fixture.python(code)).error?.message
    expect(await told('pritn(1)')).toBe("NameError: name 'pritn' is not defined. Did you mean: 'print'?")
    expect(await told('try:\n    1 / 0\nexcept ZeroDivisionError:\n    "a".uper()')).toBe(
      "AttributeError: 'str' object has no attribute 'uper'. Did you mean: 'upper'?",
    )
    expect(await told('nothing_like_it')).toBe("NameError: name 'nothing_like_it' is not defined")
  })

  test('[process.3] a syntax error has its place', async () => {
    const told = await fixture.python('x = 1\ny = (2,\n')
    expect(told.error).toMatchObject({
      kind: 'syntax',
      line: 2,
      column: 5,
      message: "SyntaxError: '(' was never closed",
    })
  })

  test('[process.3] a syntax error in an import is an error at run time', async () => {
    const told = await fixture.python('\nimport bad', { files: { 'bad.py': 'x = = 1' } })
    expect(told.error).toMatchObject({ kind: 'runtime', line: 2 })
  })

  test.each([
    ['sys.exit(3)', 'import sys\nsys.exit(3)', 3, 'Exited with code 3'],
    ['sys.exit with a text', 'import sys\nsys.exit("no")', 1, 'Exited with code 1'],
    ['os._exit(4)', 'import os\nos._exit(4)', 4, 'Exited with code 4'],
  ])('[process.4] %s', async (_, code, exitCode, message) => {
    expect(await fixture.python(code)).toMatchObject({
      status: 'failed',
      exitCode,
      error: { kind: 'runtime', message },
    })
  })

  test('[process.4] sys.exit() is a success, a signal is told by name', async () => {
    expect(await fixture.python('import sys\nsys.exit()')).toMatchObject({ status: 'succeeded', exitCode: 0 })
    expect((await fixture.python('import os\nos.abort()')).error?.message).toBe('Ended by SIGABRT')
  })

  test('[process.5] stdin, environment and input reach the program', async () => {
    const told = await fixture.python(
      'import os, sys, coherex\n[input(), sys.stdin.read(), os.environ["KEY"], coherex.input]',
      {
        stdin: 'first\nrest',
        env: { KEY: 'välue' },
        input: { n: [1, null] },
      },
    )
    expect(told.result).toEqual(['first', 'rest', 'välue', { n: [1, null] }])
  })

  test('[process.6] files go in, and what was written comes back', async () => {
    const bytes = new Uint8Array([0, 255, 10])
    const told = await fixture.python(
      'import os\nassert open("data/in.bin", "rb").read() == b"\\x00\\xff\\n"\nopen("kept.txt", "a").write("!")\nos.makedirs("out/deep")\nopen("out/deep/x.bin", "wb").write(b"\\x01" * 3_000_000)\nopen("/tmp/not-mine", "w").write("x")',
      { files: { 'data/in.bin': bytes, 'kept.txt': 'given' } },
    )
    const found = told.files.map((file) => [file.path, file.bytes.length])
    expect(found).toEqual([
      ['kept.txt', 6],
      ['out/deep/x.bin', 3_000_000],
    ])
    expect(Buffer.from(told.files[0]?.bytes ?? []).toString()).toBe('given!')
  })

  test('[process.6] keep picks by pattern', async () => {
    const code = 'import os\nos.mkdir("d")\nfor p in ("a.csv", "b.txt", "d/c.csv"): open(p, "w").write(p)'
    const paths = async (keep: string[]) => (await fixture.python(code, { keep })).files.map((file) => file.path)
    expect(await paths(['*.csv'])).toEqual(['a.csv'])
    expect(await paths(['**/*.csv'])).toEqual(['a.csv', 'd/c.csv'])
    expect(await paths(['d/**', 'b.?xt'])).toEqual(['b.txt', 'd/c.csv'])
  })

  test('[process.6] a path that climbs is refused before anything runs', async () => {
    for (const path of ['../x', '/etc/x', 'a/../../x', 'a//b', './a', 'a\0b', 'a\\b']) {
      const told = await fixture.python('print("ran")', { files: { [path]: 'x' } })
      expect(told).toMatchObject({ status: 'failed', stdout: '', error: { kind: 'validation' } })
    }
  })

  test('[process.6] a program that cannot be set up is refused before it runs', async () => {
    const clash = await fixture.python('print("ran")', { files: { a: 'file', 'a/b': 'below it' } })
    expect(clash).toMatchObject({ status: 'failed', stdout: '', error: { kind: 'validation' } })
    expect(clash.error?.message).not.toContain('/home')
    const full = await fixture.python('print("ran")', {
      files: { big: new Uint8Array(9_000_000) },
      limits: { diskMb: 4 },
    })
    expect(full.error).toMatchObject({ kind: 'validation', message: expect.stringContaining('No space left') })
    const variable = await fixture.python('print("ran")', { env: { 'A\0B': 'x' } })
    expect(variable).toMatchObject({ stdout: '', error: { kind: 'validation' } })
  })

  test('[process.3] text that no parser takes is a syntax error', async () => {
    for (const code of ['x = 1\0', `x = ${'('.repeat(5000)}`, `x = ${'-'.repeat(200_000)}1`]) {
      expect((await fixture.python(code)).error?.kind).toBe('syntax')
    }
  })

  test('[process.7] a read-only run reads its files and changes none', async () => {
    const told = await fixture.python(
      'import os\ntried = [lambda: open("new", "w"), lambda: open("given", "a"), lambda: os.remove("given"), lambda: os.rename("given", "x"), lambda: os.mkdir("d"), lambda: os.truncate("given", 0), lambda: os.symlink("a", "b")]\nkinds = []\nfor act in tried:\n    try: act(); kinds.append("done")\n    except OSError as e: kinds.append(type(e).__name__)\nopen("/tmp/scratch", "w").write("fine")\n[open("given").read(), kinds, os.system("echo x > shell 2>/dev/null") != 0]',
      { files: { given: 'text' }, readOnly: true },
    )
    expect(told.result).toEqual(['text', Array.from({ length: 7 }, () => 'PermissionError'), true])
    expect(told.files).toEqual([])
  })

  test('[process.8] capabilities by import, with bytes, options and errors', async () => {
    const told = await fixture.python(
      'import coherex\nerrors = []\nfor act in (lambda: coherex.FILES.read("missing"), lambda: coherex.FILES.broken(), lambda: coherex.BASH.exec("ls"), lambda: coherex.FILES.read(object())):\n    try: act()\n    except coherex.CapabilityError as e: errors.append([e.code, str(e)])\n    except TypeError as e: errors.append("TypeError")\n[coherex.ECHO.ping(), coherex.ECHO.echo({"b": b"\\x00\\xff", "n": 2**60, "$": 1, "f": float("inf")}) == {"b": b"\\x00\\xff", "n": 2**60, "$": 1, "f": float("inf")}, coherex.FILES.read("a", read_all=True), errors]',
      { capabilities: held },
    )
    expect(told.result).toEqual([
      'pong',
      true,
      { path: 'a', options: { readAll: true } },
      [
        ['ENOENT', 'no such file'],
        ['INTERNAL', 'The call failed'],
        ['NOT_GRANTED', 'BASH was not granted to this run'],
        'TypeError',
      ],
    ])
  })

  test('[process.8] threads may call at the same time', async () => {
    const told = await fixture.python(
      'import coherex\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(8) as pool: r = list(pool.map(coherex.ECHO.echo, range(100)))\nr == list(range(100))',
      { capabilities: held },
    )
    expect(told.result).toBe(true)
  })

  test('[process.9] rich output: frames as HTML, plots as PNG, any MIME bundle', async () => {
    const told = await fixture.python(
      'import pandas as pd, matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\nplt.plot([3])\nclass Svg:\n    def _repr_svg_(self): return "<svg/>"\ndisplay(Svg(), {"plain": 1})\ndisplay({"application/json": {"a": 1}}, raw=True)\npd.DataFrame({"a": [1, 2], "b": ["x", None]})',
      { limits: { memoryMb: 1024 } },
    )
    expect(told.error).toBeUndefined()
    const mimes = told.displays.map((data) => Object.keys(data))
    expect(mimes).toEqual([
      ['text/plain', 'image/png'],
      ['text/plain', 'image/svg+xml'],
      ['text/plain'],
      ['application/json'],
      // the figure nobody showed, at the end as in a notebook, then the result
      ['text/plain', 'image/png'],
      ['text/plain', 'text/html', 'application/vnd.coherex.frame+json'],
    ])
    expect(Buffer.from(String(told.displays[0]?.['image/png']), 'base64').subarray(1, 4).toString()).toBe('PNG')
    expect(told.displays[5]?.['text/html']).toContain('<table')
    expect(told.displays[5]?.['application/vnd.coherex.frame+json']).toEqual({
      columns: [
        { name: '', type: 'int64' },
        { name: 'a', type: 'int64' },
        { name: 'b', type: expect.any(String) },
      ],
      rows: [
        [0, 1, 'x'],
        [1, 2, null],
      ],
      total: 2,
    })
    expect(told.result).toEqual([
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ])
    expect(told.files).toEqual([])
  })

  test('[process.9] a large frame is data as far as it fits, with the number of its rows', async () => {
    const told = await fixture.python(
      'import pandas as pd\npd.DataFrame({"n": range(100_000), "text": ["word " * 10] * 100_000})',
      { limits: { memoryMb: 1024 } },
    )
    const frame = told.displays[0]?.['application/vnd.coherex.frame+json']
    const { rows, total } = frame as { rows: unknown[]; total: number }
    expect(total).toBe(100_000)
    expect(rows.length).toBeGreaterThan(500)
    expect(JSON.stringify(rows).length).toBeLessThan(101_000)

    // many of them leave room for what is printed after them
    const many = await fixture.python(
      'import pandas as pd\nfor _ in range(12): display(pd.DataFrame({"n": range(20_000)}))\nprint("the end")',
      { limits: { memoryMb: 1024, outputBytes: 200_000 } },
    )
    expect(many.stdout).toContain('the end')
  })

  test('[process.9] IPython’s display shows what a notebook shows', async () => {
    const told = await fixture.python('from IPython.display import display, HTML\ndisplay(HTML("<b>x</b>"))', {
      limits: { memoryMb: 512 },
    })
    expect(told.displays).toEqual([{ 'text/plain': expect.any(String), 'text/html': '<b>x</b>' }])
  })

  test('[process.10] packages: the operator’s wheels import, an unknown one is named', async () => {
    expect((await fixture.python('import gift\ngift.VALUE', { packages: ['gift', 'numpy'] })).result).toBe(42)
    const missing = await fixture.python('1', { packages: ['no-such-package'] })
    expect(missing.error).toEqual({ kind: 'validation', message: 'Package "no-such-package" is not available here' })
  })

  test('[process.1] forked children print through their parent', async () => {
    const told = await fixture.python(
      'import os\nfor i in range(3):\n    if os.fork() == 0:\n        print("child", i)\n        os._exit(0)\n    os.wait()\nprint("end")',
    )
    expect(told.stdout).toBe('child 0\nchild 1\nchild 2\nend\n')
  })
})

describe('Bash', () => {
  test('[process.1] output and exit code', async () => {
    const told = await fixture.bash('echo out; echo err > /dev/stderr; cat; exit 7', { stdin: 'in' })
    expect(told).toMatchObject({ status: 'failed', stdout: 'out\nin', stderr: 'err\n', exitCode: 7 })
    expect(told.error).toEqual({ kind: 'runtime', message: 'Exited with code 7' })
  })

  test('[process.3] errors have a line, syntax errors a kind', async () => {
    expect((await fixture.bash('true\nno-such-command\nfalse')).error).toEqual({
      kind: 'runtime',
      message: 'Exited with code 1',
      line: 2,
    })
    expect((await fixture.bash('echo a\nif then')).error).toMatchObject({ kind: 'syntax', line: 2 })
    for (const code of ['nosuch\nexit 7', 'cd nosuch\nexit 3'])
      expect((await fixture.bash(code)).error?.line, code).toBeUndefined()
    expect((await fixture.bash('nosuch\nset -u\necho $nosuch')).error).toMatchObject({ line: 3 })
  })

  test('[process.19] Bash has its input in a file, and hands back what it writes to $COHEREX_RESULT', async () => {
    const copy = 'cp "$COHEREX_INPUT_FILE" "$COHEREX_RESULT"; echo "${COHEREX_INPUT:-in the file alone}"'
    const short = await fixture.bash(copy, { input: { name: 'zß水🍌' } })
    expect([short.result, short.stdout]).toEqual([{ name: 'zß水🍌' }, '{"name": "zß水🍌"}\n'])
    const long = await fixture.bash(copy, { input: 'x'.repeat(200_000) })
    expect([long.result, long.stdout]).toEqual(['x'.repeat(200_000), 'in the file alone\n'])
    const wrong = await fixture.bash('echo [ > "$COHEREX_RESULT"')
    expect(wrong.error?.message).toBe('What the program wrote to $COHEREX_RESULT is not JSON')
    expect((await fixture.bash('ln -s /etc/passwd "$COHEREX_RESULT"; true')).result).toBeUndefined()
  })

  test('[process.8] the coherex command calls the host', async () => {
    const code =
      'coherex ECHO ping; coherex ECHO echo \'{"a":[1]}\'; coherex FILES read missing || echo "code $?"; echo "$COHEREX_INPUT"'
    const told = await fixture.bash(code, { capabilities: held, input: { x: 1 } })
    expect(told.stdout).toBe('pong\n{"a": [1]}\ncode 1\n{"x": 1}\n')
    expect(told.stderr).toBe('coherex: ENOENT: no such file\n')
  })

  test('[runtime.11] the coherex command is told what the host would not read', async () => {
    const deep = '[$(printf "[%.0s" $(seq 199))$(printf "]%.0s" $(seq 199))]'
    const told = await fixture.bash(`coherex ECHO echo "${deep}" || coherex ECHO ping`, { capabilities: held })
    expect(told).toMatchObject({ status: 'succeeded', stdout: 'pong\n', signs: [] })
    expect(told.stderr).toBe('coherex: LIMIT_EXCEEDED: ECHO.echo: the arguments are nested more than 199 deep\n')
  })

  test('[process.6] written files come back', async () => {
    const told = await fixture.bash('mkdir d; echo hi > d/f; ln -s /etc/passwd link; mkfifo pipe')
    const found = told.files.map(({ path, bytes, linkTarget }) => [path, Buffer.from(bytes).toString(), linkTarget])
    expect(found).toEqual([
      ['d/f', 'hi\n', undefined],
      ['link', '', '/etc/passwd'],
    ])
  })
})

describe('Node', () => {
  test('[process.2] the default export is called, its value is the result', async () => {
    const code =
      'import { ECHO } from "coherex"\nimport { hostname } from "node:os"\nexport default async (env, input) => [await env.ECHO.ping(), await ECHO.echo(input), hostname()]'
    expect((await fixture.node(code, { capabilities: held, input: { a: 1 } })).result).toEqual([
      'pong',
      { a: 1 },
      'sandbox',
    ])
    const whole = 'import coherex from "coherex"\n[await coherex.ECHO.ping(), coherex.input]'
    expect((await fixture.node(whole, { capabilities: held, input: 5 })).result).toEqual(['pong', 5])
  })

  test('[process.2] a script’s last expression is the result, require() works', async () => {
    const told = await fixture.node(
      'const { sep } = require("node:path")\nconsole.log("a", { b: 1 })\nprocess.stdout.write("raw")\nsep + 1',
    )
    expect(told.result).toBe('/1')
    expect(told.lines.map((line) => ('text' in line ? [line.stream, line.text] : []))).toEqual([
      ['log', 'a { b: 1 }'],
      ['stdout', 'raw'],
    ])
  })

  test('[runtime.2] empty lines and groups of the console are as Node prints them', async () => {
    const told = await fixture.node(
      'console.log()\nconsole.group("a")\nconsole.warn("b\\nc")\nconsole.table([1])\nconsole.groupEnd()\nconsole.log("")\nprocess.stdout.write("")\n',
    )
    expect(told.lines.map((line) => ('text' in line ? [line.stream, line.text.split('\n')[0]] : []))).toEqual([
      ...[
        ['log', ''],
        ['log', 'a'],
        ['warn', '  b'],
        ['log', '  ┌─────────┬────────┐'],
        ['log', ''],
      ],
    ])
    expect(told.lines[2]).toMatchObject({ text: '  b\n  c' })
  })

  test('[process.3] TypeScript runs, and errors have the author’s line and column', async () => {
    const told = await fixture.run(
      'typescript',
      'interface A { n: number }\nconst a: A = { n: 1 }\n  throw new RangeError(`bad ${a.n}`)',
    )
    expect(told.error).toMatchObject({ kind: 'runtime', message: 'RangeError: bad 1', line: 3, column: 9 })
    expect(told.error?.stack).not.toMatch(/\/opt|\/home|node:internal/)
    const syntax = await fixture.node('const a = 1\nconst b = ]')
    expect(syntax.error).toMatchObject({ kind: 'syntax', line: 2, column: 11 })
  })

  test('[process.2] enums and namespaces of TypeScript run in every file, and errors keep their lines', async () => {
    const files = {
      'lib.ts': '\n\nexport enum Size { S = 1, L }\nexport const fail = (): never => { throw new Error("in lib") }',
    }
    const code = `import os from 'node:os'
import { fail, Size } from './lib.ts'
enum Color { Red, Green = 'g' }
namespace Space { export const x = 1 }
class Point { constructor(public x: number) {} }
interface Unused {
  a: string
}
`
    const told = await fixture.run(
      'typescript',
      `${code}({ color: Color.Green, x: Space.x, point: new Point(Size.L), eol: os.EOL })`,
      { files },
    )
    expect(told).toMatchObject({ result: { color: 'g', x: 1, point: { x: 2 }, eol: '\n' } })
    const thrown = await fixture.run('typescript', `${code}  null!.x`, { files })
    expect(thrown.error).toMatchObject({ message: expect.stringContaining('TypeError'), line: 9, column: 9 })
    const inside = await fixture.run('typescript', `${code}const size: Size = fail()\nsize`, { files })
    expect(inside.error).toMatchObject({ message: 'Error: in lib', line: 9, column: 20 })
    expect(inside.error?.stack).toContain('lib.ts:4:')
    const syntax = await fixture.run('typescript', 'let a: number = 1\nlet b: = 2')
    expect(syntax.error).toMatchObject({ kind: 'syntax', line: 2, column: 8 })
  })

  test('[isolate.4] modules are found as in the isolate', async () => {
    const files = {
      'lib/a.ts': "import data from './d.json'\nexport const a: number = data.x",
      'lib/d.json': '{"x":5}',
      'lib/index.js': "export * from './a.js'\nexport const b = 2",
    }
    const code = "import { a } from './lib/a'\nimport { b } from './lib'\nimport d from './lib/d.json'\n"
    for (const language of ['typescript', 'javascript', 'node'] as const) {
      const told = await fixture.run(language, `${code}const { x } = require('./lib/d.json')\n;[a, b, d.x, x]`, {
        files,
      })
      expect(told.result, JSON.stringify(told.error)).toEqual([5, 2, 5, 5])
    }
    const missing = await fixture.node("import './nope'")
    expect(missing.error?.message).toContain('Cannot find module')
  })

  test('[process.3] the place of an error is in the entry, never in a file it came from', async () => {
    const ofNode = await fixture.node('import fs from "fs"\n  fs.readFileSync("/nope")', { entry: 'a b.mjs' })
    expect(ofNode.error).toMatchObject({ line: 2, column: 6 })
    const files = { 'lib/m.js': '\n\n\nexports.fail = () => { throw new Error("(a:5:6)") }' }
    const ofOthers = await fixture.node('const { fail } = require("./lib/m.js")\nfail()', { files })
    expect(ofOthers.error).toMatchObject({ message: 'Error: (a:5:6)', line: 2, column: 1 })
    expect(ofOthers.error?.stack).toContain('lib/m.js:4:')
    const elsewhere = await fixture.node('import "./bad.mjs"', { files: { 'bad.mjs': 'const a = ;' } })
    expect(elsewhere.error?.line).toBeUndefined()
  })

  test('[process.2] a script knows where it is and that it is the one that was started', async () => {
    const code = '[__dirname, __filename, require.main === module]'
    const told = await fixture.node(code, { entry: 'src/main.js' })
    expect(told.result).toEqual(['/home/guest/src', '/home/guest/src/main.js', true])
  })

  test('[process.2] an entry that ends in .cjs runs as Node runs it: sloppy, with its own module', async () => {
    const cjs = (code: string, entry = 'src/main.cjs') =>
      fixture.node(code, { entry, files: { 'src/lib.cjs': 'exports.word = typeof this' } })
    const sloppy =
      'undeclared = 010\nvar read\nwith ({ inner: 2 }) read = inner\nfunction callee() { return typeof arguments.callee + typeof this }\n'
    expect((await cjs(`${sloppy}[undeclared, read, callee(), this === module.exports]`)).result).toEqual([
      ...[8, 2, 'functionobject', true],
    ])
    const words = '[require("./lib.cjs").word, __filename, __dirname, require.main === module, exports === this]'
    expect((await cjs(words)).result).toEqual(['object', '/home/guest/src/main.cjs', '/home/guest/src', true, true])
    expect((await cjs('module.exports = (env, input) => [typeof env, input]')).result).toEqual(['object', null])
    expect((await cjs('exports.a = 1\nreturn')).result).toEqual({ a: 1 })
    expect((await cjs('const a = 1\n  a.b.c')).error).toMatchObject({ kind: 'runtime', line: 2, column: 7 })
    expect((await cjs('const a = 1\nawait a')).error).toMatchObject({ kind: 'syntax', line: 2 })
    expect((await cjs('import a from "a"')).error?.kind).toBe('syntax')
    expect((await cjs('enum Size { S = 3 }\nmodule.exports = [Size.S as number]', 'main.cts')).result).toEqual([3])
  })

  test('[isolate.4] a file that cannot be read fails the import() that names it, and only that', async () => {
    const files = { 'half.ts': 'export const value: number = (1 +', 'whole.ts': 'export const value: number = 2' }
    const load = `const load = (name) => import(name).then(({ value }) => value, (error) => error instanceof SyntaxError)\n`
    const told = await fixture.node(`${load};[await load('./half.ts'), await load('./whole.ts')]`, { files })
    expect(told.result).toEqual([true, 2])
  })

  test('[process.4] an error that the program takes care of is no failure', async () => {
    const code =
      'process.on("uncaughtException", (error) => console.log(error.message))\nsetTimeout(() => { throw new Error("late") }, 5)\nsetTimeout(() => console.log("on"), 20)\n1'
    const told = await fixture.node(code)
    expect(told).toMatchObject({ status: 'succeeded', result: 1 })
    expect(told.lines.map((line) => 'text' in line && line.text)).toEqual(['late', 'on'])
  })

  test.each([
    ['at the top', 'await new Promise(() => {})\nconsole.log("never")'],
    ['in a function', 'export default async () => { await new Promise(() => {}) }'],
    ['as the last expression', 'new Promise(() => {})'],
  ])('[process.2] a promise nobody can settle is an error: %s', async (_, code) => {
    const told = await fixture.node(code)
    expect(told).toMatchObject({
      status: 'failed',
      error: { kind: 'runtime', message: expect.stringContaining('pending') },
    })
    expect((await fixture.node('process.exit(0)')).status).toBe('succeeded')
  })

  test('[process.4] exit codes and late errors are the outcome', async () => {
    expect(await fixture.node('process.exit(5)')).toMatchObject({ status: 'failed', exitCode: 5 })
    expect((await fixture.node('setTimeout(() => { throw new Error("late") }, 5)')).error?.message).toBe('Error: late')
    expect((await fixture.node('setTimeout(() => console.log("late"), 5)')).lines).toMatchObject([
      { stream: 'log', text: 'late' },
    ])
  })

  test('[process.8] a script has env and input, as in the isolate', async () => {
    for (const language of ['javascript', 'typescript', 'node'] as const) {
      const told = await fixture.run(language, '[await env.ECHO.ping(), input, typeof env.FETCH]', {
        capabilities: held,
        input: { n: 2 },
      })
      expect(told.result, JSON.stringify(told.error)).toEqual(['pong', { n: 2 }, 'undefined'])
    }
  })

  test('[process.8] a capability that was not granted says so', async () => {
    const told = await fixture.node('import { BASH } from "coherex"\nawait BASH.exec("ls")')
    expect(told.error).toMatchObject({
      kind: 'runtime',
      message: 'CapabilityError: BASH was not granted to this run',
      line: 2,
    })
  })
})

describe('ends', () => {
  test('[process.11] a run that takes too long is ended, in every language', async () => {
    for (const [language, code] of [
      ['python', 'while True: pass'],
      ['bash', 'while :; do :; done'],
      ['node', 'for (;;);'],
    ] as const) {
      const from = performance.now()
      const stretch = watchStretch()
      const told = await fixture.run(language, code, { limits: { timeoutMs: 400 } })
      expect(told).toMatchObject({ status: 'failed', error: { kind: 'timeout' }, signs: [{ kind: 'limit-kill' }] })
      expect(performance.now() - from).toBeLessThan(400 + 5_000 * stretch.stop())
    }
  })

  test('[process.11] CPU time has its own limit', async () => {
    const told = await fixture.python('while True: pass', { limits: { cpuMs: 1_000 } })
    expect(told.error).toEqual({ kind: 'timeout', message: 'The run used more than 1000 ms of CPU time' })
  })

  test('[process.12] output is cut at its limit with a mark, and the run goes on', async () => {
    const told = await fixture.python('for i in range(100_000): print("水" * 10)\n"end"', {
      limits: { outputBytes: 10_000 },
    })
    expect(told).toMatchObject({ status: 'succeeded', result: 'end', truncated: true })
    expect(Buffer.byteLength(told.stdout)).toBeLessThanOrEqual(10_000)
    expect(told.lines.at(-1)).toMatchObject({ text: '[output cut at 10000 bytes]' })
  })

  test('[process.13] cancel ends the run at once, also while it waits for its sandbox', async () => {
    const started = new AbortController()
    const told = await fixture.bash('echo up; sleep 60', { signal: started.signal, onOutput: () => started.abort() })
    expect(told).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' } })
    expect(await fixture.bash('echo no', { signal: AbortSignal.abort() })).toMatchObject({
      status: 'cancelled',
      lines: [],
    })
  })

  test('[process.14] peak memory is measured', async () => {
    const told = await fixture.python('x = bytearray(80_000_000)')
    expect(told.peakMemoryMb).toBeGreaterThan(76)
    expect(told.peakMemoryMb).toBeLessThan(200)
  })

  test('[process.18] a child that ran out of memory leaves a sign though its parent went on', async () => {
    const told = await fixture.bash('head -c 500M /dev/zero | tail > /dev/null; echo on')
    expect(told).toMatchObject({ status: 'succeeded', stdout: 'on\n', signs: [{ kind: 'limit-kill' }] })
  })

  test('[process.15] many at once, each with its own output', async () => {
    const told = await Promise.all(
      Array.from({ length: 12 }, (_, index) => fixture.python(`print(${index})\n${index}`)),
    )
    expect(told.map(({ result, stdout }) => [result, stdout])).toEqual(told.map((_, index) => [index, `${index}\n`]))
  })

  test('[process.15] limits other than the pool’s get a sandbox of their own', async () => {
    const told = await fixture.bash('df --output=size,itotal . | tail -1', { limits: { diskMb: 5, inodes: 77 } })
    expect(told.stdout.trim().split(/\s+/)).toEqual(['5120', '77'])
  })

  test('[process.16] a guest that breaks the protocol is ended, and its lies stay its own', async () => {
    const told = await fixture.python('import os\nos.write(3, b"\\xff\\xff\\xff\\xff garbage")\nwhile True: pass')
    expect(told).toMatchObject({ status: 'failed', error: { kind: 'runtime' }, signs: [{ kind: 'protocol' }] })
    const forged = await fixture.python(
      'import channel\nfor p in ("../../etc/cron.d/x", "/etc/passwd", "ok"):\n    channel.send({"type": "file", "path": p, "base64": "eA==", "last": True})',
    )
    expect(forged.files.map((file) => file.path)).toEqual(['ok'])
    expect(forged.signs).toEqual([{ kind: 'protocol', detail: '2 files were refused' }])
  })

  test('[process.16] a flood on the pipe itself is ended as too much output', async () => {
    const told = await fixture.python(
      'import channel\nwhile True: channel.send({"type": "output", "stream": "stdout", "text": "x" * 100_000})',
    )
    expect(told.error?.kind).toBe('output')
  })

  test('[process.17] refuses() says why', () => {
    const program = {
      language: 'python',
      code: '',
      entry: 'a',
      files: {},
      env: {},
      packages: [],
      typecheck: false,
      readOnly: false,
    } as const
    const refuses = (change: object) => fixture.runtime.refuses({ ...program, packages: [], ...change })
    expect(refuses({})).toBeUndefined()
    expect(refuses({ typecheck: true })).toMatch(/types/)
    expect(refuses({ language: 'node', packages: ['x'] })).toMatch(/Python/)
    expect(fixture.runtime.health()).toMatchObject({ available: true })
  })
})
