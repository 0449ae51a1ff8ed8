import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestPerson } from './test-server.ts'

// the same engine without the browser's own windows, each of which takes longer to open than the pages shown in it
const programs = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium']
const executablePath = programs.find((path) => existsSync(path)) ?? ''

/** Debian's Chromium, which `npm test` installs where it may. */
export const hasChromium = executablePath !== ''

export function launchChromium(more: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      // as root Chromium's own sandbox cannot be set up; it only ever opens our own pages here
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

export interface WindowOptions {
  /** Who is signed in, without a walk through the sign-in page. */
  person?: TestPerson
  colorScheme?: 'light' | 'dark'
}

/** A window of its own: nothing is shared with other windows, as with another person's browser. */
export async function openWindow(browser: Browser, url: string, options: WindowOptions = {}): Promise<Page> {
  const { person, colorScheme = 'light' } = options
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  })
  // this only ends what hangs: with other work on the cores, the code editor alone takes many seconds to begin
  context.setDefaultTimeout(60_000)
  if (person) await context.addCookies(cookiesOf(person).map((cookie) => ({ ...cookie, url })))
  return context.newPage()
}

function cookiesOf(person: TestPerson): { name: string; value: string }[] {
  return person
    .cookie()
    .split('; ')
    .map((cookie) => {
      const [name = '', value = ''] = cookie.split(/=(.*)/)
      return { name, value }
    })
}

/** Fails on what axe calls serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  // our own page refuses foreign scripts; the checker is put in from outside
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await checker.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
  expect(found).toEqual([])
}
