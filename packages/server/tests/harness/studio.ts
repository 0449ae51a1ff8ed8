import type { Browser, Page } from 'playwright-core'
import { launchChromium, openWindow, type WindowOptions } from './chromium.ts'
import { startTestServer, type TestPerson, type TestServer } from './test-server.ts'

export interface Studio {
  server: TestServer
  browser: Browser
  owner: TestPerson
  /** The owner's window. */
  page: Page
  openWindow(options: WindowOptions): Promise<Page>
  close(): Promise<void>
}

/** The product with a browser in front of it, where its first owner is signed in. */
export async function openStudio(settings: Record<string, string> = {}): Promise<Studio> {
  const [server, browser] = await Promise.all([startTestServer(settings), launchChromium()])
  const owner = await server.owner()
  const open = (options: WindowOptions) => openWindow(browser, server.url, options)
  return {
    server,
    browser,
    owner,
    page: await open({ person: owner }),
    openWindow: open,
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}

/** Leads a window to a page of the studio. Where the studio is open it goes there as by a link: nothing is loaded again. */
export async function leadTo(page: Page, path: string): Promise<void> {
  if (!page.url().startsWith('http')) {
    await page.goto(path)
    return
  }
  const { href } = new URL(path, page.url())
  await page.evaluate((address) => {
    const { history } = globalThis as unknown as {
      history: { pushState(state: object, title: string, url: string): void }
    }
    history.pushState({}, '', address)
  }, href)
}
