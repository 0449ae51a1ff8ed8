import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionFixture, type Session } from './session-fixture.ts'

let fixture: Awaited<ReturnType<typeof createSessionFixture>>
let node: Session

beforeAll(async () => {
  fixture = await createSessionFixture(0x7006c000)
  node = await fixture.start('javascript', { GREETING: 'hello' })
})
afterAll(() => fixture.close())

describe('a JavaScript session', () => {
  test('[session.1] declarations of every kind stay, and may be made anew', async () => {
    await node.run(
      'let a = 1\nconst b = 2, { c, ...rest } = { c: 3, d: 4 }\nclass D { x = 5 }\nfunction f() { return a }',
    )
    expect((await node.run('[a, b, c, rest, new D().x, f(), process.env.GREETING]')).result).toEqual([
      ...[1, 2, 3, { d: 4 }, 5, 1, 'hello'],
    ])
    await node.run('const a = 10\nlet b = 20; class D { x = 50 }\nfunction f() { return -a }')
    expect((await node.run('({ a, b, d: new D().x, f: f() })')).result).toEqual({ a: 10, b: 20, d: 50, f: -10 })
    expect((await node.run('{ a, b }')).result).toEqual({ a: 10, b: 20 })
    expect(await node.run('f()\nlet unused = 1')).toMatchObject({ result: undefined, error: undefined })
  })

  test('[session.1] awaits and imports at the top level, and what they declare stays', async () => {
    await node.run(
      "import fs, { readFileSync as read } from 'node:fs'\nimport * as path from 'node:path'\nconst g = await Promise.resolve(7), [h, i = 8] = [await 9]\nlet j\nclass E {}\nfunction k() { return g }\nfor (const x of [1]) { var l = x }\nfs.writeFileSync('own.mjs', 'export const own = 1')",
    )
    expect((await node.run('[g, h, i, j, E.name, k(), l, typeof read, path.sep]')).result).toEqual([
      ...[7, 9, 8, null, 'E', 7, 1, 'function', '/'],
    ])
    expect((await node.run("const { own } = await import('./own.mjs')\nown")).result).toBe(1)
    expect((await node.run("require('node:os').EOL")).result).toBe('\n')
    expect((await node.run('Promise.resolve(12)')).result).toBe(12)
    expect((await node.run('let m = 1\nconst n = await 2\n;[m, n]')).result).toEqual([1, 2])
  })

  test('[session.1] a cell may declare names that the driver uses itself', async () => {
    const fresh = await fixture.start('javascript')
    await fresh.run(
      'const process = 1, Buffer = 2, Promise = 3\nlet setImmediate = 4, setInterval, console = { log() {} }',
    )
    expect((await fresh.run('[process, Buffer, Promise, setImmediate]', { stdin: 'x' })).result).toEqual([1, 2, 3, 4])
    expect((await fresh.run('await 5')).result).toBe(5)
    expect((await fresh.variables()).map(({ name }) => name)).toEqual([])
    await fresh.close()
  })

  test('[session.3] errors name cell, line and column', async () => {
    const thrown = await node.run('const ok = 1\nconst bad = null.x')
    expect(thrown.error).toMatchObject({ kind: 'runtime', line: 2, column: 18 })
    expect(thrown.error?.message).toMatch(/^TypeError: /)
    const later = await node.run('await 1; const z = 2; undefined.y')
    expect(later.error).toMatchObject({ line: 1, column: 33 })
    expect(later.error?.stack).not.toContain('/opt/coherex')
    await node.run('\nfunction deep() { throw new RangeError("deep") }')
    expect((await node.run('1\n  deep()')).error).toMatchObject({ line: 2, column: 3, message: 'RangeError: deep' })
    expect((await node.run('let x = ;')).error).toMatchObject({ kind: 'syntax', line: 1, column: 9 })
    expect((await node.run('throw "text"')).error?.message).toBe("Uncaught 'text'")
    expect((await node.run('Promise.reject(new Error("nobody")); await new Promise(() => {})')).error?.message).toBe(
      'Error: nobody',
    )
    expect((await node.run('a')).result).toBe(10)
  })

  test('[session.2] an interrupt ends loops and waits, and keeps the state', async () => {
    for (const code of ['console.log("up"); for (;;);', 'console.log("up"); await new Promise(() => {})']) {
      let again: NodeJS.Timeout | undefined
      const told = await node.run(code, {
        onMessage(message, session) {
          if (message.type !== 'output') return
          session.interrupt()
          // as the host does: a signal between the script and what it awaits is lost
          again ??= setInterval(() => session.interrupt(), 500)
        },
      })
      clearInterval(again)
      expect(told, code).toMatchObject({ interrupted: true, ended: false })
      expect((await node.run('a')).result).toBe(10)
    }
  })

  test('[session.2] an interrupt that comes as its cell ends is not that of a later one', async () => {
    const interrupt = { onMessage: (_: unknown, session: Session) => session.interrupt() }
    for (let round = 0; round < 15; round++) {
      expect(await node.run('console.log("up")', interrupt)).toMatchObject({ ended: false })
      // what is left of a signal passes by a cell that is over at once
      expect(await node.run('a')).toMatchObject({ result: 10 })
      expect(await node.run('for (const end = Date.now() + 10; Date.now() < end; ); a')).toMatchObject({ result: 10 })
      expect(await node.run('await new Promise((resolve) => setTimeout(resolve, 10)); a')).toMatchObject({ result: 10 })
    }
  })

  test('[session.2] a handler of SIGINT lasts as long as its cell, and does not keep it from being interrupted', async () => {
    const told = await node.run(
      'process.on("SIGINT", () => console.log("own")); console.log("up"); await new Promise(() => {})',
      {
        onMessage: (message, session) => message.type === 'output' && message.text === 'up' && session.interrupt(),
      },
    )
    expect(told).toMatchObject({ interrupted: true })
    const loop = await node.run('console.log("up"); for (;;);', {
      onMessage: (message, session) => message.type === 'output' && session.interrupt(),
    })
    expect(loop).toMatchObject({ interrupted: true, ended: false, pieces: ['log:up'] })
  })

  test('[session.4] empty lines and groups of the console are as Node prints them', async () => {
    const told = await node.run(
      "console.log('')\nconsole.group('a')\nconsole.log('b')\nconsole.dir({ c: 1 })\nconsole.groupEnd()\nconsole.error()",
    )
    expect(told.pieces).toEqual(['log:', 'log:a', 'log:  b', 'stdout:  { c: 1 }\n', 'error:'])
  })

  test('[session.4] output is in order and has its levels, whoever wrote it', async () => {
    const told = await node.run(
      "console.log('one', 1)\nprocess.stdout.write('two\\n')\nrequire('node:fs').writeSync(1, 'three\\n')\nconsole.error('four')\ndisplay.html('<b>')\nrequire('node:child_process').execSync('echo five', { stdio: 'inherit' })\nconsole.warn('six')",
    )
    expect(told.pieces).toEqual([
      'log:one 1',
      'stdout:two\n',
      'stdout:three\n',
      'error:four',
      'stdout:five\n',
      'warn:six',
    ])
    expect(told.displays).toEqual([{ 'text/html': '<b>' }])
    const child = await node.run(
      "import { spawn } from 'node:child_process'\nawait new Promise((resolve) => spawn('sh', ['-c', 'yes | head -n 100000'], { stdio: 'inherit' }).on('exit', resolve))",
    )
    expect(child.stdout.length).toBe(200_000)
  })

  test('[session.4] output is cut at the limit of its cell', async () => {
    const flood = await node.run('for (let i = 0; i < 10_000; i++) console.log("x".repeat(100))', {
      outputBytes: 5_000,
    })
    expect(flood.truncated).toBe(true)
    expect(flood.pieces.map((piece) => piece.slice(4)).join('').length).toBe(5_001)
    expect((await node.run('console.log("\\ud800")')).pieces).toEqual(['log:�'])
    expect((await node.run('"x".repeat(20_000_000)')).error?.kind).toBe('output')
  })

  test('[session.5] reads its input, and asks for more', async () => {
    const lines =
      "import { createInterface } from 'node:readline'\nconst lines = []\nfor await (const line of createInterface({ input: process.stdin })) lines.push(line)\nlines"
    expect((await node.run(lines, { stdin: 'a\nb' })).result).toEqual(['a', 'b'])
    const answers = ['c', undefined]
    const told = await node.run(lines, {
      isInteractive: true,
      onMessage(message, session) {
        if (message.type !== 'stdin-request') return
        const text = answers.shift()
        session.send({ type: 'stdin', id: message.id, ...(text !== undefined && { text }) })
      },
    })
    expect(told.result).toEqual(['c'])
  })

  test('[session.8] a call of more than the host reads is an error of the cell', async () => {
    const told = await node.run(
      "import { ECHO } from 'coherex'\nawait ECHO.ping(Array(1_100_000).fill(1)).catch((error) => error.code)",
      { capabilities: { ECHO: ['ping'] } },
    )
    expect(told).toMatchObject({ result: 'LIMIT_EXCEEDED' })
  })

  test('[session.8] capabilities are those of the cell', async () => {
    const call = "import { ECHO, input } from 'coherex'\n;[await ECHO.ping(1), input]"
    const told = await node.run(call, {
      capabilities: { ECHO: ['ping'] },
      input: { a: 1 },
      onMessage(message, session) {
        if (message.type === 'call') session.send({ type: 'answer', id: message.id, value: 'pong' })
      },
    })
    expect(told.result).toEqual(['pong', { a: 1 }])
    expect((await node.run(call)).error?.message).toContain('ECHO was not granted')
    const whole = "import coherex from 'coherex'\n;[typeof coherex.FILES, coherex.input]"
    expect((await node.run(whole, { input: 1 })).result).toEqual(['object', 1])
    expect((await node.run('coherex.input', { input: 2 })).result).toBe(2)
  })

  test('[session.1] what TypeScript has beyond types stays, and errors keep their place', async () => {
    const fresh = await fixture.start('typescript')
    await fresh.run("enum Color { Red, Green = 'g' }\nnamespace Space { export const x = 1 }")
    expect((await fresh.run('enum Size { L = 2 }\n;[Color.Green, Space.x, Size.L]')).result).toEqual(['g', 1, 2])
    const thrown = await fresh.run('enum Two {\n  A,\n  B,\n}\ninterface A {}\n  null!.x')
    expect(thrown.error).toMatchObject({ kind: 'runtime', line: 6, column: 9 })
    expect((await fresh.run('let a: number = 1\nlet b: = 2')).error).toMatchObject({
      kind: 'syntax',
      line: 2,
      column: 8,
    })
    await fresh.close()
  })

  test('[session.6] variables', async () => {
    const fresh = await fixture.start('typescript')
    await fresh.run(
      "interface Row { n: number }\nconst rows: Row[] = [{ n: 1 }, { n: 2 }]\nlet text: string = 'abc'\nconst map = new Map([['k', 1]])\nclass Slow { [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } }\nconst slow = new Slow()\nconst bytes = new Uint8Array(4)",
    )
    const items = Object.fromEntries((await fresh.variables()).map((item) => [item.name, item]))
    expect(Object.keys(items)).toEqual(['Slow', 'bytes', 'map', 'rows', 'slow', 'text'])
    expect(items['rows']).toEqual({ name: 'rows', type: 'Array', value: '[ { n: 1 }, { n: 2 } ]', shape: [2] })
    expect(items['text']).toEqual({ name: 'text', type: 'string', value: "'abc'", size: 3, shape: [3] })
    expect(items['slow']).toMatchObject({ type: 'Slow', value: '…' })
    expect(items['bytes']).toMatchObject({ type: 'Uint8Array', size: 4 })
    expect((await fresh.variable('rows', 1))?.table).toEqual({
      columns: [{ name: 'n', type: 'number' }],
      rows: [[2]],
      offset: 1,
      total: 2,
    })
    expect((await fresh.variable('text'))?.text).toBe('abc')
    expect(await fresh.variable('missing')).toBeUndefined()
    // what took its time without the processor is asked again: so does everything on a machine that stands still
    await fresh.run(
      "let waited = false\nclass Still {}\nObject.defineProperty(Still.prototype, 'constructor', { get() { if (!waited) { waited = true; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000) } return Still } })\nconst still = new Still()",
    )
    expect((await fresh.variable('still'))?.type).toBe('Still')
    expect((await fresh.run('const y: number = 1\nconst wrong: string = y.z.w')).error).toMatchObject({
      line: 2,
      column: 27,
    })
    expect(await fresh.run('console.log("last"); process.exit(3)')).toMatchObject({ ended: true, pieces: ['log:last'] })
  })
})
