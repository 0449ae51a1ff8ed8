import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findUv } from '../../src/runtimes/index.ts'
import { hasChromium } from '../harness/chromium.ts'
import { createWheelIndex, type WheelIndex } from '../harness/outside/wheel-index.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

describe.skipIf(!hasChromium)('runtimes of the browser', () => {
  let studio: Studio
  let page: Page
  let sessions: string
  let index: WheelIndex
  const uv = findUv()
  /** Requests that came to a server beside ours: none may. */
  let outside: Server
  const arrived: string[] = []

  beforeAll(async () => {
    outside = createServer((request, response) => {
      arrived.push(request.url ?? '')
      response.setHeader('access-control-allow-origin', '*')
      response.end('reached')
    })
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
    index = await createWheelIndex()
    studio = await openStudio({ COHEREX_PYPI_INDEX: index.url })
    ;({ page } = studio)
    const manifest = new URL('../../../studio/dist/.vite/manifest.json', import.meta.url)
    const built = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, { file: string }>
    sessions = `/${built['src/runtimes/browser-sessions.ts']?.file}`
    await page.goto('/')
    // as text: the runner of these tests would put its own import in its place
    await page.evaluate('globalThis.load = (address) => import(address)')
    // what nobody else may read
    await page.evaluate(() => {
      const { localStorage, document } = globalThis as unknown as {
        localStorage: { setItem(key: string, value: string): void }
        document: { documentElement: { dataset: Record<string, string> } }
      }
      localStorage.setItem('canary', 'of the page')
      document.documentElement.dataset['canary'] = 'untouched'
    })
  }, 240_000)
  afterAll(async () => {
    await studio.close()
    await index.close()
    outside.close()
  })

  interface Ended {
    outcome: {
      status: string
      result?: unknown
      resultText?: string
      needsServer?: string
      error?: { kind: string; message: string; line?: number }
      peakMemoryMb?: number
    }
    output: { stream: string; text: string; data?: Record<string, unknown> }[]
    truncated: boolean
    durationMs: number
    isReset: boolean
    reset?: string
    variables?: { name: string; type: string; value: string; size?: number; shape?: number[] }[]
    variable?: object
    /** The longest time in which the page could do nothing. */
    stalledMs: number
  }

  interface Asked {
    language: string
    code: string
    place?: string
    stopAfterMs?: number
    /** What a person types when the code asks. */
    typed?: string
    /** Looks at the variables after it, and at this one in full. */
    look?: string
  }

  /** Runs code as a block does, by the module that the studio is built with. */
  async function run({ language, code, place = 'one', stopAfterMs, typed, look }: Asked): Promise<Ended> {
    return page.evaluate(
      async ({ address, asked }) => {
        const { sessionOf } = (await (globalThis as unknown as { load(address: string): Promise<unknown> }).load(
          address,
        )) as {
          sessionOf(
            place: string,
            language: string,
            options: object,
          ): Promise<{
            run(request: object, options: object): Promise<object>
            variables(): Promise<object[]>
            variable(name: string): Promise<object>
          }>
        }
        const stop = new AbortController()
        const output: object[] = []
        let truncated = false
        const session = await sessionOf(asked.place, asked.language, {
          signal: stop.signal,
          onProgress: () => undefined,
        })
        let stalledMs = 0
        let last = performance.now()
        const ticks = setInterval(() => {
          stalledMs = Math.max(stalledMs, performance.now() - last)
          last = performance.now()
        }, 20)
        if (asked.stopAfterMs !== undefined) setTimeout(() => stop.abort(), asked.stopAfterMs)
        const onOutput = (lines: object[], isCut: boolean) => {
          output.push(...lines)
          truncated ||= isCut
        }
        const ended = await session.run(
          { language: asked.language, code: asked.code },
          {
            ...{ onOutput, signal: stop.signal },
            ...(asked.typed !== undefined && { onInput: async (prompt: string) => `${prompt}${asked.typed}` }),
          },
        )
        clearInterval(ticks)
        const looked = asked.look !== undefined && {
          variables: await session.variables(),
          variable: await session.variable(asked.look),
        }
        return { ...ended, output, truncated, stalledMs, ...looked }
      },
      { address: sessions, asked: { language, code, place, stopAfterMs, typed, look } },
    ) as Promise<Ended>
  }

  const textOf = ({ output }: Ended) =>
    output.map(({ text, data }) => text ?? String(data?.['text/plain'] ?? '')).join('')

  /** The same programs in each language: what every runtime of the browser does alike. */
  const languages = [
    {
      language: 'javascript',
      print: 'console.log("hi")',
      keep: 'const kept = 20',
      use: 'kept + 1',
      value: 21,
      fail: '\nnull.x',
      line: 2,
      wrong: 'let = =',
      loop: 'for (;;) {}',
    },
    {
      language: 'typescript',
      print: 'console.log("hi" as string)',
      keep: 'const kept: number = 20',
      use: 'kept + (1 as number)',
      value: 21,
      fail: 'type A = { x: 1 }\n;(null as unknown as A).x',
      line: 2,
      wrong: 'const x: = 1',
      loop: 'while (true) {}',
    },
    {
      language: 'python',
      print: 'print("hi")',
      keep: 'kept = 20',
      use: 'kept + 1',
      value: 21,
      fail: '\n1 / 0',
      line: 2,
      wrong: 'if',
      loop: 'while True: pass',
    },
    {
      language: 'sql',
      print: "SELECT 'hi' AS word",
      keep: 'CREATE TABLE kept AS SELECT 20 AS x',
      use: 'SELECT x + 1 AS y FROM kept',
      value: [{ y: 21 }],
      fail: 'SELECT * FROM not_there',
      line: undefined,
      wrong: 'SELEC 1',
      loop: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    },
    {
      language: 'r',
      print: 'cat("hi\\n")',
      keep: 'kept <- 20',
      use: 'kept + 1',
      value: 21,
      fail: '\nstop("no")',
      line: 2,
      wrong: 'x <- <- 1',
      loop: 'repeat {}',
    },
  ]

  describe.each(languages)(
    '$language in the browser',
    ({ language, print, keep, use, value, fail, line, wrong, loop }) => {
      test('prints, keeps variables for the next block and tells the last value', async () => {
        const printed = await run({ language, code: print })
        expect(printed.outcome).toMatchObject({ status: 'succeeded' })
        expect(textOf(printed)).toContain('hi')
        expect(await run({ language, code: keep })).toMatchObject({ outcome: { status: 'succeeded' } })
        const used = await run({ language, code: use })
        expect(used.outcome.status).toBe('succeeded')
        expect(used.outcome.result).toEqual(value)
        // another conversation has its own; Python takes long to begin
        if (language !== 'python')
          expect((await run({ language, code: use, place: 'two' })).outcome.status).toBe('failed')
      }, 180_000)

      test('tells what went wrong and where', async () => {
        const failed = await run({ language, code: fail })
        expect(failed.outcome).toMatchObject({ status: 'failed', error: { kind: 'runtime', ...(line && { line }) } })
        expect((await run({ language, code: wrong })).outcome).toMatchObject({
          status: 'failed',
          error: { kind: 'syntax' },
        })
        expect(failed.isReset).toBe(false)
      }, 60_000)

      test('stops an endless loop within a second of being asked to, while the page goes on', async () => {
        const stopped = await run({ language, code: loop, place: 'loop', stopAfterMs: 500 })
        const keeps = language === 'python' || language === 'sql'
        expect(stopped).toMatchObject({
          outcome: { status: 'cancelled' },
          isReset: !keeps,
          ...(!keeps && { reset: 'stopped' }),
        })
        expect(stopped.outcome.error?.message).toContain(keeps ? 'Its variables are kept' : 'Its variables are gone')
        expect(stopped.durationMs).toBeLessThan(1500)
        expect(stopped.stalledMs).toBeLessThan(1000)
        // the next one begins anew
        expect((await run({ language, code: print, place: 'loop' })).outcome.status).toBe('succeeded')
      }, 180_000)
    },
  )

  test('the memory of WebAssembly is told with a run; that of JavaScript is not known', async () => {
    const memoryAfter = async (language: string, code: string) =>
      (await run({ language, code, place: 'memory' })).outcome.peakMemoryMb
    for (const [language, small, large, addedMb] of [
      ['python', '1', 'kept = bytearray(150_000_000)', 100],
      ['sql', 'SELECT 1', 'CREATE TABLE kept AS SELECT randomblob(60000000) AS bytes', 40],
      ['r', '1', 'kept <- raw(150e6)', 100],
    ] as const) {
      const before = (await memoryAfter(language, small)) ?? 0
      const after = (await memoryAfter(language, large)) ?? 0
      expect([language, before > 1, after - before >= addedMb, after < 1024]).toEqual([language, true, true, true])
    }
    expect(await memoryAfter('javascript', 'globalThis.kept = "x".repeat(50_000_000); 1')).toBeUndefined()
  }, 180_000)

  test('JavaScript: awaits, timers, typed console lines, classes and destructuring', async () => {
    const code = `const { a, b: [c] } = await Promise.resolve({ a: 1, b: [2] })
class Point { x = a }
function double(n) { return n * 2 }
setTimeout(() => console.warn('later', new Map([[1, { deep: [1] }]])), 10)
console.error('now'); console.info({ c })
new Point().x + double(c)`
    const ended = await run({ language: 'javascript', code, place: 'await' })
    expect(ended.outcome).toMatchObject({ status: 'succeeded', result: 5 })
    expect(ended.output.map(({ stream, text }) => [stream, text])).toEqual([
      ['error', 'now'],
      ['info', '{ c: 2 }'],
      ['warn', 'later Map(1) { 1 => { deep: [1] } }'],
    ])
    const again = await run({
      language: 'javascript',
      code: 'const a = 5; [a, c, double(1), new Point().x]',
      place: 'await',
    })
    expect(again.outcome).toMatchObject({ result: [5, 2, 2, 5] })
    for (const code of [
      'Promise.reject(new Error("lost")); 1',
      'setTimeout(() => Promise.reject(new Error("lost")), 5); 1',
      'setTimeout(async () => { throw new Error("lost") }); await 1',
    ]) {
      const { outcome } = await run({ language: 'javascript', code })
      expect([code, outcome]).toMatchObject([code, { status: 'failed', error: { message: 'Error: lost' } }])
    }
    const caught = 'await Promise.reject(new Error("lost")).catch(({ message }) => message)'
    expect((await run({ language: 'javascript', code: caught })).outcome).toMatchObject({ result: 'lost' })
    expect((await run({ language: 'javascript', code: 'import x from "lodash"' })).outcome.needsServer).toContain(
      'lodash',
    )
  }, 60_000)

  test.skipIf(uv === undefined)(
    'Python imports wheels of the index, with what they need',
    async () => {
      index.offer({
        name: 'greeter',
        version: '1.0',
        requires: ['wording'],
        files: { 'greeter.py': 'from wording import word\n' },
      })
      index.offer({ name: 'wording', version: '2.0', files: { 'wording/__init__.py': 'word = "Hallo"\n' } })
      index.offer({
        name: 'native',
        version: '1.0',
        tag: 'cp314-cp314-manylinux_2_28_x86_64',
        files: { 'native.py': '' },
      })
      const used = await run({ language: 'python', code: 'import greeter\ngreeter.word' })
      expect(used.outcome).toMatchObject({ status: 'succeeded', result: 'Hallo' })
      const { outcome } = await run({ language: 'python', code: 'import native' })
      expect(outcome).toMatchObject({
        status: 'failed',
        needsServer: expect.stringContaining('"native" has no wheel for the browser'),
      })
      const unknown = await run({ language: 'python', code: 'import nowhere_to_be_found' })
      expect(unknown.outcome.needsServer).toContain('no package "nowhere_to_be_found"')
      // the rules of the team hold in the browser as well
      const { call } = studio.owner
      const policy = await call(routes.packages.policy, {})
      await call(routes.packages.setPolicy, { body: { ...policy, mode: 'none' } })
      const refused = await run({ language: 'python', code: 'import wordy' })
      expect(refused.outcome.needsServer).toContain('allow no packages')
      await call(routes.packages.setPolicy, { body: policy })
    },
    240_000,
  )

  test('Python that is stopped keeps its variables, unless it does not let itself be stopped', async () => {
    const place = 'interrupt'
    const stopped = await run({ language: 'python', code: 'n = 1\nwhile True:\n    n += 1', place, stopAfterMs: 500 })
    expect(stopped).toMatchObject({ outcome: { status: 'cancelled' }, isReset: false })
    const { outcome } = await run({ language: 'python', code: 'n > 1000', place })
    expect(outcome).toMatchObject({ status: 'succeeded', result: true })
    // the next one is stopped as well
    const slow = 'sum(i * i for i in range(10**12))'
    expect(await run({ language: 'python', code: slow, place, stopAfterMs: 300 })).toMatchObject({ isReset: false })
    const stubborn = 'while True:\n    try:\n        while True: pass\n    except BaseException: pass'
    const ended = await run({ language: 'python', code: stubborn, place, stopAfterMs: 300 })
    expect(ended).toMatchObject({ outcome: { status: 'cancelled' }, isReset: true, reset: 'stopped' })
    expect(ended.durationMs).toBeLessThan(1500)
  }, 120_000)

  test('Python without a package says so, and offers the server', async () => {
    const { outcome } = await run({ language: 'python', code: 'import numpy' })
    expect(outcome).toMatchObject({ status: 'failed', needsServer: expect.stringContaining('numpy') })
  }, 120_000)

  test('a block that takes too long ends by itself', async () => {
    const ended = await run({ language: 'javascript', code: 'setInterval(() => 1, 100)', place: 'long' })
    expect(ended).toMatchObject({
      outcome: { status: 'failed', error: { kind: 'timeout' } },
      isReset: true,
      reset: 'timeout',
    })
    expect(ended.durationMs).toBeGreaterThanOrEqual(9_900)
  }, 60_000)

  test('a flood of output is cut, and the page goes on', async () => {
    const ended = await run({
      language: 'javascript',
      code: 'for (let i = 0; i < 300_000; i++) console.log("x".repeat(100))',
    })
    expect(ended.truncated).toBe(true)
    expect(ended.output.length).toBeLessThanOrEqual(2000)
    expect(ended.stalledMs).toBeLessThan(1000)
  }, 60_000)

  test('JavaScript displays bundles and values, bounded', async () => {
    const code = `display({ 'text/html': '<b>x</b>' }); display.svg('<svg/>'); display([1, { a: 2 }]); display('y'.repeat(400_000)); 1`
    const { output, outcome } = await run({ language: 'javascript', code, place: 'display' })
    expect(outcome).toMatchObject({ status: 'succeeded', result: 1 })
    expect(output.map(({ data }) => data)).toEqual([
      { 'text/html': '<b>x</b>' },
      { 'image/svg+xml': '<svg/>' },
      { 'text/plain': '[1, { a: 2 }]', 'application/json': [1, { a: 2 }] },
      { 'text/plain': expect.stringContaining('too large') },
    ])
  })

  test('Python displays reprs, the last value and figures', async () => {
    const code = `
class Shown:
    def _repr_html_(self): return "<i>html</i>"
    def _repr_png_(self): return b"png"
    def __repr__(self): return "Shown()"
display(Shown(), "text")
display({"text/markdown": "*m*"}, raw=True)
Shown()`
    const { output, outcome } = await run({ language: 'python', code })
    expect(outcome).toEqual({ status: 'succeeded', peakMemoryMb: expect.any(Number) })
    const shown = { 'text/html': '<i>html</i>', 'image/png': 'cG5n', 'text/plain': 'Shown()' }
    expect(output.map(({ data }) => data)).toEqual([
      shown,
      { 'text/plain': "'text'" },
      { 'text/markdown': '*m*' },
      shown,
    ])
    // as matplotlib is seen by the worker: its wheels may not be there
    const figures = `
import sys, types
plot, figure = types.ModuleType("matplotlib.pyplot"), types.ModuleType("matplotlib.figure")
class Figure:
    def savefig(self, target, **_): target.write(b"drawn")
figure.Figure, open_figures = Figure, {1: Figure()}
plot.get_fignums, plot.figure, plot.close = lambda: list(open_figures), open_figures.get, lambda _: open_figures.clear()
sys.modules["matplotlib.pyplot"], sys.modules["matplotlib.figure"] = plot, figure`
    const drawn = await run({ language: 'python', code: figures, place: 'figures' })
    expect(drawn.outcome).toMatchObject({ status: 'succeeded' })
    expect(drawn.output.map(({ data }) => data?.['image/png'])).toEqual(['ZHJhd24='])
  }, 180_000)

  test('SQL displays rows as a table in the forms that the server has', async () => {
    const code = "SELECT 1 AS n, '<b>' AS word, 2 AS n UNION ALL SELECT 3, NULL, 4"
    const { output, outcome } = await run({ language: 'sql', code, place: 'table' })
    expect(outcome.result).toEqual([
      { n: 1, word: '<b>', n_1: 2 },
      { n: 3, word: null, n_1: 4 },
    ])
    expect(output).toHaveLength(1)
    expect(output[0]?.data).toMatchObject({
      'text/plain': expect.stringContaining('2 rows'),
      'text/html': expect.stringContaining('<td align="left">&#60;b&#62;</td>'),
      'application/json': { columns: [{ name: 'n', type: 'INTEGER' }, { name: 'word' }, { name: 'n' }], rowCount: 2 },
    })
  })

  test('SQL that only DuckDB runs offers the server', async () => {
    for (const code of [
      "SELECT * FROM read_parquet('pets.parquet')",
      "SELECT * FROM 'pets.parquet'",
      'SELECT list_value(1)',
      "SELECT '1'::INT AS n",
      'SELECT [1, 2] AS list',
      "SELECT {'a': 1} AS struct",
      'SUMMARIZE pets',
    ]) {
      const { outcome } = await run({ language: 'sql', code, place: 'table' })
      expect([code, outcome]).toMatchObject([
        code,
        { status: 'failed', needsServer: expect.stringContaining('DuckDB') },
      ])
    }
    for (const code of ['SELECT * FROM pets', 'SELEKT 1', 'SELECT nothing']) {
      const { outcome } = await run({ language: 'sql', code, place: 'table' })
      expect([code, outcome.status, outcome.needsServer]).toEqual([code, 'failed', undefined])
    }
  })

  test('R displays frames as tables and plots as images, and says what its browser cannot', async () => {
    const code =
      'pets <- data.frame(name = c("Rex", "<b>"), legs = c(4, 3))\npets\nplot(pets$legs)\nbarplot(1:3)\nwarning("mind")'
    const ended = await run({ language: 'r', code, place: 'one', look: 'pets' })
    expect(ended.outcome).toMatchObject({ status: 'succeeded' })
    const bundles = ended.output.flatMap(({ data }) => (data ? [data] : []))
    expect(bundles[0]).toMatchObject({
      'text/html': expect.stringContaining('<td>&lt;b&gt;</td>'),
      'application/vnd.coherex.frame+json': { columns: [{ name: 'name' }, { name: 'legs' }], total: 2 },
    })
    // the first bytes of a PNG
    expect(bundles.slice(1).map((data) => String(data['image/png']).slice(0, 8))).toEqual(['iVBORw0K', 'iVBORw0K'])
    expect(textOf(ended)).toContain('Warning: mind')
    expect(ended.variables).toContainEqual(expect.objectContaining({ name: 'pets', type: 'data.frame', shape: [2, 2] }))
    expect(ended.variable).toMatchObject({ table: { rows: [['Rex', 4], ['<b>', 3]], total: 2 } }) // prettier-ignore
    const solved = await run({ language: 'r', code: 'as.numeric(solve(matrix(c(2, 0, 0, 4), 2), c(2, 4)))' })
    expect(solved.outcome).toMatchObject({ result: [1, 1] })
    for (const code of ['library(ggplot2)', 'readline("Name? ")', 'q()']) {
      const { outcome } = await run({ language: 'r', code })
      expect([code, outcome]).toMatchObject([code, { status: 'failed', needsServer: expect.any(String) }])
    }
    const deep = await run({ language: 'r', code: 'f <- function(n) {\n  stop("deep")\n}\nf(1)' })
    expect(deep.outcome.error).toMatchObject({ line: 2, message: 'Error in f(1): deep' })
  }, 180_000)

  test('variables are listed with type, value and size, and shown as pages', async () => {
    const javascript = await run({
      ...{ language: 'javascript', place: 'look', look: 'rows' },
      code: 'const rows = [{ a: 1, b: "x" }, { a: 2 }]; let text = "hello"; class Point {}; const bytes = new Uint8Array(8)',
    })
    expect(javascript.variables).toEqual([
      { name: 'Point', type: 'class', value: expect.any(String) },
      { name: 'bytes', type: 'Uint8Array', value: expect.any(String), size: 8, shape: [8] },
      { name: 'rows', type: 'Array', value: '[{ a: 1, b: "x" }, { a: 2 }]', shape: [2] },
      { name: 'text', type: 'string', value: '"hello"', shape: [5] },
    ])
    expect(javascript.variable).toMatchObject({
      table: {
        columns: [
          { name: 'a', type: 'number' },
          { name: 'b', type: 'string' },
        ],
        rows: [
          [1, 'x'],
          [2, null],
        ],
        total: 2,
      },
    })
    const python = await run({
      ...{ language: 'python', place: 'one', look: 'pairs' },
      code: 'import os\npairs = {"a": 1, "b": [2]}\nword = "hello"\n_hidden = 1',
    })
    const known = python.variables?.filter(({ name }) =>
      ['pairs', 'word', 'os', '_hidden', 'run', 'emit'].includes(name),
    )
    expect(known).toEqual([
      { name: 'pairs', type: 'dict', value: "{'a': 1, 'b': [2]}", size: expect.any(Number), shape: [2] },
      { name: 'word', type: 'str', value: "'hello'", size: expect.any(Number), shape: [5] },
    ])
    expect(python.variable).toMatchObject({ table: { rows: [['a', 1], ['b', '[2]']], total: 2 } }) // prettier-ignore
    const sql = await run({
      ...{ language: 'sql', place: 'look', look: 'pets' },
      code: "CREATE TABLE pets AS SELECT 'Rex' AS name, 4 AS legs",
    })
    expect(sql.variables).toEqual([{ name: 'pets', type: 'table', value: 'name, legs', shape: [1, 2] }])
    expect(sql.variable).toMatchObject({ table: { rows: [['Rex', 4]], total: 1 } })
  }, 180_000)

  test('code asks the person for a line, and is told where nobody answers', async () => {
    const asked = await run({ language: 'python', code: 'input("Name? ")', typed: 'Ann' })
    expect(asked.outcome).toMatchObject({ status: 'succeeded', result: 'Name? Ann' })
    const alone = await run({ language: 'python', code: 'input("Name? ")' })
    expect(alone.outcome.error?.message).toContain('EOFError: Nobody answered')
    const script = await run({ language: 'javascript', code: 'await prompt("Age? ")', typed: '7' })
    expect(script.outcome).toMatchObject({ result: 'Age? 7' })
  }, 180_000)

  const bombs = [
    { language: 'javascript', code: 'const all = []; for (;;) all.push(new Uint8Array(50_000_000).fill(1))' },
    {
      language: 'javascript',
      code: 'let all = new ArrayBuffer(60_000_000); const kept = []; for (;;) kept.push(all.slice(0))',
    },
    { language: 'python', code: 'all = []\nwhile True: all.append(bytearray(50_000_000))' },
    { language: 'r', code: 'all <- list(); repeat all[[length(all) + 1]] <- numeric(4e7)' },
    {
      language: 'sql',
      code: 'CREATE TABLE t(x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO t SELECT zeroblob(20000000) FROM n',
    },
  ]
  test.each(bombs)(
    'a memory bomb in $language ends by itself, and the page goes on: $code',
    async ({ language, code }) => {
      const ended = await run({ language, code, place: 'bomb' })
      expect(ended.outcome).toMatchObject({ status: 'failed', error: { kind: 'memory' } })
      // by its memory, long before the time of its language is over
      expect(ended.durationMs).toBeLessThan(30_000)
      expect(ended.stalledMs).toBeLessThan(1_000)
      const after =
        { javascript: '1 + 1', python: 'all = None; 1 + 1', r: 'rm(all); 1 + 1', sql: 'SELECT 2 AS two' }[language] ??
        ''
      expect((await run({ language, code: after, place: 'bomb' })).outcome.status).toBe('succeeded')
    },
    120_000,
  )

  test('a heap that grows for ever is stopped by time, and the page goes on', async (context) => {
    // browsers give a worker no limit for its heap: where 4 GB are filled before its time is over, Chromium ends the whole tab
    context.skip('needs a browser that bounds the heap of a worker')
    const code = 'const all = []; for (;;) all.push(new Array(1000).fill(Math.random()))'
    const ended = await run({ language: 'javascript', code, place: 'heap' })
    expect(ended).toMatchObject({ outcome: { status: 'failed' }, isReset: true })
    expect(ended.durationMs).toBeLessThan(12_000)
    expect(ended.stalledMs).toBeLessThan(2_000)
  }, 90_000)

  test('[B04] a million messages and more timers than there may be do not hold up the page', async () => {
    const flood = await run({
      language: 'javascript',
      code: 'for (let i = 0; i < 1e6; i++) postMessage({ i }); 1',
      place: 'flood',
    })
    expect(flood.outcome).toMatchObject({ result: 1 })
    expect(flood.stalledMs).toBeLessThan(500)
    const timers = await run({
      language: 'javascript',
      code: 'for (let i = 0; i < 1e5; i++) setTimeout(() => 1, 5_000)',
      place: 'flood',
    })
    expect(timers.outcome.error?.message).toContain('1000 timers')
  }, 60_000)

  test('[H08] code registers no service worker, and the studio works after 10 MB of junk', async () => {
    const register = "await navigator.serviceWorker.register('/sw.js')"
    expect((await run({ language: 'javascript', code: register, place: 'junk' })).outcome.status).toBe('failed')
    const junk = await run({
      language: 'javascript',
      code: 'for (let i = 0; i < 10; i++) console.log("x".repeat(1_000_000)); display({ "text/html": "y".repeat(1e7) })',
      place: 'junk',
    })
    expect(JSON.stringify(junk.output).length).toBeLessThan(500_000)
    expect((await run({ language: 'javascript', code: '1 + 1', place: 'junk' })).outcome).toMatchObject({ result: 2 })
    expect(await page.evaluate("localStorage.getItem('canary')")).toBe('of the page')
  }, 60_000)

  test('a session that was closed to make room says that its variables are gone; a running one stays', async () => {
    await run({ language: 'javascript', code: 'const mine = 1', place: 'first' })
    const slow = run({
      language: 'javascript',
      code: 'await new Promise((resolve) => setTimeout(resolve, 4_000)); "slept"',
      place: 'running',
    })
    for (const place of ['a', 'b', 'c', 'd']) await run({ language: 'javascript', code: '1', place })
    expect((await slow).outcome).toMatchObject({ result: 'slept' })
    const again = await run({ language: 'javascript', code: 'typeof mine', place: 'first' })
    expect(again).toMatchObject({ outcome: { result: 'undefined' }, reset: 'evicted' })
    expect(again.output[0]).toMatchObject({ stream: 'info', text: expect.stringContaining('are gone') })
    expect((await run({ language: 'javascript', code: '1', place: 'first' })).reset).toBeUndefined()
  }, 60_000)

  describe('code of a block', () => {
    const attempts = (address: string, api: string): Record<string, string> => ({
      fetch: `await (0, eval)('self').constructor.prototype.constructor && await Object.getPrototypeOf(self).fetch?.call(self, '${address}')`,
      // the frame's own fetch is replaced by words; this is the browser's
      XMLHttpRequest: `await new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = yes; x.onerror = () => no(new Error('refused')); x.open('GET', '${address}'); x.send() })`,
      WebSocket: `await new Promise((yes, no) => { const s = new WebSocket('${address.replace('http', 'ws')}'); s.onopen = yes; s.onerror = () => no(new Error('refused')) })`,
      EventSource: `await new Promise((yes, no) => { const s = new EventSource('${address}'); s.onopen = yes; s.onerror = () => no(new Error('refused')) })`,
      importScripts: `importScripts('${address}')`,
      'dynamic import': `await import('${address}')`,
      'a worker of another address': `await new Promise((yes, no) => { const w = new Worker('${address}'); w.onmessage = yes; w.onerror = () => no(new Error('refused')) })`,
      'a worker within the worker': `await new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob(["onmessage = async () => { try { await fetch('${address}'); postMessage('reached') } catch { postMessage('refused') } }"]))); w.onmessage = ({ data }) => data === 'reached' ? yes() : no(new Error(data)); w.onerror = () => no(new Error('refused')); w.postMessage(1) })`,
      'our API': `await new Promise((yes, no) => { const x = new XMLHttpRequest(); x.withCredentials = true; x.onload = () => yes(); x.onerror = () => no(new Error('refused')); x.open('GET', '${api}'); x.send() })`,
      indexedDB: `await new Promise((yes, no) => { const r = indexedDB.open('x'); r.onsuccess = yes; r.onerror = () => no(r.error) })`,
      caches: `await caches.open('x')`,
      localStorage: `localStorage.getItem('canary').length`,
      cookies: `document.cookie.length`,
      'the page above': `parent.document.title`,
      BroadcastChannel: `await new Promise((yes, no) => { const c = new BroadcastChannel('page'); c.onmessage = yes; c.postMessage('here?'); setTimeout(() => no(new Error('nobody')), 300) })`,
    })

    const names = Object.keys(attempts('http://x', 'http://x'))
    test.each(names)('cannot use %s', async (name) => {
      const { port } = outside.address() as AddressInfo
      const code = attempts(`http://127.0.0.1:${port}/out`, `${studio.server.url}/api/v1/me`)[name] ?? ''
      await page.evaluate(() => {
        // one that would answer, were it reached
        const channel = new BroadcastChannel('page')
        channel.onmessage = () => channel.postMessage('reached')
      })
      const { outcome } = await run({ language: 'javascript', code: `${code}; 'reached'`, place: 'hostile' })
      if (name === 'fetch') expect(outcome.result === 'reached' ? arrived : []).toEqual([])
      else expect(outcome).toMatchObject({ status: 'failed' })
      expect(arrived).toEqual([])
      expect(await page.locator('html').getAttribute('data-canary')).toBe('untouched')
    })

    test.each(['js.XMLHttpRequest', 'js.WebSocket', 'pyfetch', 'urlopen'])('of Python cannot use %s', async (name) => {
      const address = `127.0.0.1:${(outside.address() as AddressInfo).port}/python`
      const code = {
        'js.XMLHttpRequest': `import js\nx = js.XMLHttpRequest.new()\nx.open("GET", "http://${address}", False)\nx.send()`,
        'js.WebSocket': `import js, asyncio\ns = js.WebSocket.new("ws://${address}")\nawait asyncio.sleep(0.5)\nassert s.readyState == 1`,
        pyfetch: `from pyodide.http import pyfetch\nawait pyfetch("http://${address}")`,
        urlopen: `from urllib.request import urlopen\nurlopen("http://${address}")`,
      }[name]
      expect((await run({ language: 'python', code: code ?? '' })).outcome.status).toBe('failed')
      expect(arrived).toEqual([])
    })

    test.each(['url()', 'XMLHttpRequest', 'importScripts'])('of R cannot use %s', async (name) => {
      const address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/r`
      const code = {
        'url()': `readLines(url("${address}"))`,
        // the browser's own, behind those that webR was given
        XMLHttpRequest: `webr::eval_js("const x = new (Object.getPrototypeOf(self).XMLHttpRequest ?? XMLHttpRequest)(); x.open('GET', '${address}', false); x.send(); if (x.status !== 200) throw new Error('refused'); 1")`,
        importScripts: `webr::eval_js("importScripts('${address}'); 1")`,
      }[name]
      expect((await run({ language: 'r', code: code ?? '' })).outcome.status).toBe('failed')
      expect(arrived).toEqual([])
    })

    test('reaches the outside from a page that nothing holds: the probes work', async () => {
      const { port } = outside.address() as AddressInfo
      const free = await studio.browser.newContext()
      const other = await free.newPage()
      await other.goto(`http://127.0.0.1:${port}/`)
      const reached = await other.evaluate(
        async (address) => (await fetch(address)).text(),
        `http://127.0.0.1:${port}/probe`,
      )
      expect(reached).toBe('reached')
      expect(arrived).toContain('/probe')
      arrived.length = 0
      await free.close()
    })

    test('cannot take the port of its session to lie about itself', async () => {
      const code = `let taken
const original = MessagePort.prototype.postMessage
MessagePort.prototype.postMessage = function (...args) { taken = this; return original.apply(this, args) }
self.postMessage({ type: 'end', outcome: { status: 'succeeded', result: 'forged' } })
console.log('x')
await new Promise((resolve) => setTimeout(resolve, 100))
taken === undefined`
      expect((await run({ language: 'javascript', code, place: 'port' })).outcome).toMatchObject({ result: true })
    })
  })

  test('a conversation loads no part of a runtime at first; a language that was used is made ready when idle', async () => {
    const said = (id: string, role: 'user' | 'assistant', text: string) => ({
      ...{ id, parentId: role === 'user' ? null : 'one', role, createdAt: '2026-01-01T00:00:00.000Z' },
      ...{ createdBy: 'Ann', parts: [{ type: 'text' as const, text }] },
    })
    const fences = '```js title="Sum"\n1 + 1\n```\n\n```python\n1\n```\n\n```sql\nSELECT 1\n```\n\n```r\n1\n```'
    const { id } = await studio.owner.call(routes.threads.import, {
      body: {
        ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Idle' },
        messages: [said('one', 'user', 'Sum'), said('two', 'assistant', fences)],
      },
    })
    const other = await studio.openWindow({ person: studio.owner })
    const parts: string[] = []
    other.on('request', (request) => {
      if (/-worker-|browser-sessions|pyodide|sqlite3|webr|\/runtimes\//.test(request.url())) parts.push(request.url())
    })
    await other.goto(`/threads/${id}`)
    await other.getByRole('region', { name: 'Block: Sum' }).waitFor()
    await other.waitForTimeout(2_000)
    expect(parts).toEqual([])
    await other.evaluate("localStorage.setItem('coherex.browser-run-at.javascript', String(Date.now()))")
    await other.reload()
    await expect.poll(() => parts.some((url) => url.includes('javascript-worker-'))).toBe(true)
    expect(parts.filter((url) => /pyodide|sqlite3|webr/.test(url))).toEqual([])
    await other.close()
  }, 120_000)

  test('frames of runtimes have headers of their own, all else stays closed', async () => {
    for (const path of ['/runtimes/worker', '/runtimes/page', '/runtimes/preview', '/runtimes/app']) {
      const { headers } = await fetch(`${studio.server.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain('sandbox allow-scripts;')
      expect(policy).toContain("webrtc 'block'")
      expect(policy).not.toMatch(/allow-same-origin|connect-src|unsafe-inline'[^;]*script/)
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
      expect(headers.get('connection-allowlist')).toBe('()')
    }
    const { headers } = await fetch(`${studio.server.url}/`, { headers: { accept: 'text/html' } })
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
