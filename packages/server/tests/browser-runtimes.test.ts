import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from './harness/chromium.ts'
import { openStudio, type Studio } from './harness/studio.ts'

describe.skipIf(!hasChromium)('runtimes of the browser', () => {
  let studio: Studio
  let page: Page
  let sessions: string
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
    studio = await openStudio()
    ;({ page } = studio)
    const manifest = new URL('../../studio/dist/.vite/manifest.json', import.meta.url)
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
    outside.close()
  })

  interface Ended {
    outcome: {
      status: string
      result?: unknown
      resultText?: string
      needsServer?: string
      error?: { kind: string; message: string; line?: number }
    }
    output: { stream: string; text: string }[]
    truncated: boolean
    durationMs: number
    isReset: boolean
    /** The longest time in which the page could do nothing. */
    stalledMs: number
  }

  interface Asked {
    language: string
    code: string
    place?: string
    stopAfterMs?: number
  }

  /** Runs code as a block does, by the module that the studio is built with. */
  async function run({ language, code, place = 'one', stopAfterMs }: Asked): Promise<Ended> {
    return page.evaluate(
      async ({ address, asked }) => {
        const { sessionOf } = (await (globalThis as unknown as { load(address: string): Promise<unknown> }).load(
          address,
        )) as {
          sessionOf(
            place: string,
            language: string,
            options: object,
          ): Promise<{ run(request: object, options: object): Promise<object> }>
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
          { onOutput, signal: stop.signal },
        )
        clearInterval(ticks)
        return { ...ended, output, truncated, stalledMs }
      },
      { address: sessions, asked: { language, code, place, stopAfterMs } },
    ) as Promise<Ended>
  }

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
      value: undefined,
      fail: 'SELECT * FROM not_there',
      line: undefined,
      wrong: 'SELEC 1',
      loop: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    },
  ]

  describe.each(languages)(
    '$language in the browser',
    ({ language, print, keep, use, value, fail, line, wrong, loop }) => {
      test('prints, keeps variables for the next block and tells the last value', async () => {
        const printed = await run({ language, code: print })
        expect(printed.outcome).toMatchObject({ status: 'succeeded' })
        expect(printed.output.map(({ text }) => text).join('')).toContain('hi')
        expect(await run({ language, code: keep })).toMatchObject({ outcome: { status: 'succeeded' } })
        const used = await run({ language, code: use })
        expect(used.outcome.status).toBe('succeeded')
        if (value === undefined) expect(used.output[0]?.text).toContain('21')
        else expect(used.outcome.result).toBe(value)
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
        expect(stopped).toMatchObject({ outcome: { status: 'cancelled' }, isReset: true })
        expect(stopped.durationMs).toBeLessThan(1500)
        expect(stopped.stalledMs).toBeLessThan(1000)
        // the next one begins anew
        expect((await run({ language, code: print, place: 'loop' })).outcome.status).toBe('succeeded')
      }, 180_000)
    },
  )

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

  test('Python without a package says so, and offers the server', async () => {
    const { outcome } = await run({ language: 'python', code: 'import numpy' })
    expect(outcome).toMatchObject({ status: 'failed', needsServer: expect.stringContaining('numpy') })
  }, 120_000)

  test('a block that takes too long ends by itself', async () => {
    const ended = await run({ language: 'javascript', code: 'setInterval(() => 1, 100)', place: 'long' })
    expect(ended).toMatchObject({ outcome: { status: 'failed', error: { kind: 'timeout' } }, isReset: true })
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

  test('a memory bomb ends its session and not the page', async () => {
    const code = 'const all = []; for (;;) all.push(new Uint8Array(50_000_000).fill(1))'
    const ended = await run({ language: 'javascript', code, place: 'bomb', stopAfterMs: 4_000 })
    expect(ended.outcome.status).not.toBe('succeeded')
    expect(ended.isReset || ended.outcome.error !== undefined).toBe(true)
    expect((await run({ language: 'javascript', code: '1 + 1', place: 'bomb' })).outcome).toMatchObject({ result: 2 })
  }, 90_000)

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

  test('frames of runtimes have headers of their own, all else stays closed', async () => {
    for (const path of ['/runtimes/worker', '/runtimes/page', '/runtimes/app']) {
      const { headers } = await fetch(`${studio.server.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain('sandbox allow-scripts;')
      expect(policy).not.toMatch(/allow-same-origin|connect-src|unsafe-inline'[^;]*script/)
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    }
    const { headers } = await fetch(`${studio.server.url}/`, { headers: { accept: 'text/html' } })
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
