import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestPerson } from './test-server.ts'

const executablePath = '/usr/bin/chromium'

/** Debian's Chromium, which `npm test` installs where it may. */
export const hasChromium = existsSync(executablePath)

export function launchChromium(): Promise<Browser> {
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
    ],
  })
}

/** A window of its own: nothing is shared with other windows, as with another person's browser. */
export async function openWindow(
  browser: Browser,
  baseURL: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  })
  context.setDefaultTimeout(15_000)
  return context.newPage()
}

/** The window is this person's from now on, without a walk through the sign-in page. */
export async function signIn(page: Page, url: string, person: TestPerson): Promise<void> {
  const cookies = person.cookie().split('; ')
  await page.context().addCookies(
    cookies.map((cookie) => {
      const [name = '', value = ''] = cookie.split(/=(.*)/)
      return { name, value, url }
    }),
  )
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
