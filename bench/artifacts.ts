// Code blocks in Debian's Chromium: how long their runs take, by the module that the studio is built with.
// Run: npm run bench -- artifacts
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { makeDataDirectory, startBenchServer } from './bench-server.ts'
import { median, type Row } from './measure.ts'
import { openBrowser, setUp } from './studio.ts'

const rounds = 5
const warmRuns = 30

export async function benchArtifacts(): Promise<Row[]> {
  const manifest = new URL('../packages/studio/dist/.vite/manifest.json', import.meta.url)
  const built = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, { file: string }>
  const sessions = `/${built['src/runtimes/browser-sessions.ts']?.file}`
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path)
  try {
    const cookie = await setUp(server)
    const first: Record<string, number[]> = { javascript: [], python: [] }
    const warm: Record<string, number[]> = { javascript: [], python: [] }
    for (let round = 0; round < rounds; round++) {
      const browser = await openBrowser(server.url, cookie)
      try {
        const page = browser.pages()[0] ?? (await browser.newPage())
        await page.goto(server.url)
        await page.waitForLoadState('networkidle')
        for (const [language, code] of [
          ['javascript', '1 + 1'],
          ['python', '1 + 1'],
        ] as const) {
          const times = await runOften(page, { address: sessions, language, code, count: warmRuns })
          first[language]?.push(times[0] ?? Infinity)
          warm[language]?.push(median(times.slice(1)))
        }
      } finally {
        await browser.close()
      }
    }
    const row = (what: string, times: number[] = [], most: number): Row => {
      const value = median(times)
      return { what, value, unit: 'ms', goal: `≤ ${most}`, reached: value <= most }
    }
    return [
      row('JavaScript block in a fresh browser, click to end', first['javascript'], 100),
      row('JavaScript block, warm', warm['javascript'], 20),
      row('Python block in a fresh browser, click to end', first['python'], 10_000),
      row('Python block, warm', warm['python'], 50),
    ]
  } finally {
    await server.stop()
    await directory.remove()
  }
}

interface Asked {
  address: string
  language: string
  code: string
  count: number
}

/** The time of each run, the first of them with all that has to be loaded. */
async function runOften(page: Page, asked: Asked): Promise<number[]> {
  // as text: nothing of this file is there
  await page.evaluate('globalThis.load = (address) => import(address)')
  return page.evaluate(async ({ address, language, code, count }) => {
    const { load } = globalThis as unknown as { load(address: string): Promise<unknown> }
    interface Sessions {
      sessionOf(
        place: string,
        language: string,
        options: object,
      ): Promise<{ run(request: object, options: object): Promise<{ outcome: { result?: unknown } }> }>
    }
    const times: number[] = []
    for (let at = 0; at < count; at++) {
      const began = performance.now()
      const { sessionOf } = (await load(address)) as Sessions
      const { signal } = new AbortController()
      const session = await sessionOf('bench', language, { signal })
      const { outcome } = await session.run({ language, code }, { onOutput: () => undefined, signal })
      times.push(performance.now() - began)
      if (outcome.result !== 2) throw new Error(`The block did not end as it should: ${JSON.stringify(outcome)}`)
    }
    return times
  }, asked)
}
