import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from '../harness/chromium.ts'
import { leadTo, openStudio, type Studio } from '../harness/studio.ts'
import { flag, nameablePayloads, payloadsOf } from '../harness/xss-payloads.ts'

const story = { timeout: 240_000 }

describe.skipIf(!hasChromium)('content of others in a workspace', () => {
  let studio: Studio
  let away: Server
  let page: Page
  let id: string
  const reached: string[] = []
  const left: string[] = []
  const dialogs: string[] = []
  let payloads: string[]
  let names: string[]

  beforeAll(async () => {
    away = createServer((request, response) => {
      reached.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`
    payloads = payloadsOf({ url })
    names = nameablePayloads({ url })
    studio = await openStudio()
    ;({ page } = studio)
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      const address = new URL(request.url())
      if (!['data:', 'blob:'].includes(address.protocol) && address.origin !== studio.server.url)
        left.push(address.href)
    })
    ;({ id } = await studio.owner.call(routes.workspaces.create, { body: { name: payloads[5] ?? '' } }))
    await studio.owner.call(routes.workspaces.changeFiles, {
      params: { id },
      body: {
        write: [
          ...names.map((name) => ({ path: `names/${name}`, text: name })),
          { path: 'all.md', text: payloads.join('\n\n') },
          { path: 'all.csv', text: ['first,second', ...payloads.map((one) => `"${quoted(one)}",x`)].join('\n') },
          { path: 'print.js', text: printing(payloads) },
          { path: 'wrong.ts', text: wrong },
        ],
      },
    })
  })
  afterAll(async () => {
    await studio?.close()
    away.close()
  })

  const open = (path: string) => leadTo(page, `/workspaces/${id}?file=${encodeURIComponent(path)}`)
  /** Nothing ran, nothing left, and no link or attribute is there that would. */
  async function expectQuiet(): Promise<void> {
    const seen = await page.evaluate((name) => {
      const { document } = globalThis as unknown as { document: { querySelectorAll(of: string): Iterable<Found> } }
      interface Found {
        href: unknown
        attributes: Iterable<{ name: string }>
      }
      const links = [...document.querySelectorAll('a[href], area[href]')].map(({ href }) => String(href))
      const handlers = [...document.querySelectorAll('main *')].flatMap(({ attributes }) =>
        [...attributes].map((one) => one.name).filter((one) => one.startsWith('on')),
      )
      const inside = [...document.querySelectorAll('main :is(script, object, embed, base, link, meta, form[action])')]
      return {
        ran: (globalThis as Record<string, unknown>)[name],
        links: links.filter((href) => !/^(?:https?|mailto):/.test(href)),
        handlers,
        elements: inside.length,
      }
    }, flag)
    expect(seen).toEqual({ ran: undefined, links: [], handlers: [], elements: 0 })
    expect({ reached, left, dialogs }).toEqual({ reached: [], left: [], dialogs: [] })
  }

  test('[H01] the payloads are at least 200, and one runs where nothing guards it', story, async () => {
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(200)
    const bare = await studio.browser.newPage()
    await bare.setContent(payloads[5] ?? '')
    await expect.poll(() => bare.evaluate((name) => (globalThis as Record<string, unknown>)[name], flag)).toBe(1)
    await bare.close()
  })

  test('[H01] [H04] Markdown of a workspace runs nothing and loads nothing from elsewhere', story, async () => {
    await open('all.md')
    await page.getByRole('article', { name: 'all.md' }).getByText('${globalThis').first().waitFor()
    await page.getByRole('article', { name: 'all.md' }).evaluate((one: { scrollTo(x: number, y: number): void }) => {
      one.scrollTo(0, 1e9)
    })
    await expectQuiet()
  })

  test('[H05] CSV of a workspace shows payloads as text in its cells', story, async () => {
    await open('all.csv')
    await page.getByRole('table').getByText('<script>').first().waitFor()
    await expectQuiet()
  })

  test(
    '[H05] names of files and of the workspace are text in tree, tabs, breadcrumbs and quick open',
    story,
    async () => {
      expect(names.length).toBeGreaterThan(20)
      for (const name of names.slice(0, 6)) {
        await open(`names/${name}`)
        await page.getByRole('heading', { level: 2, name: `names/${name}`, exact: true }).waitFor({ state: 'attached' })
      }
      await page.getByRole('tree').getByText('onerror').first().waitFor()
      await page.keyboard.press('Control+p')
      await page.getByRole('combobox', { name: 'Go to file' }).fill('onerror')
      await page.getByRole('option').first().waitFor()
      await expectQuiet()
      await page.keyboard.press('Escape')
    },
  )

  test('[H05] output, errors and log lines of a run are text', story, async () => {
    await open('print.js')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const output = page.getByRole('region', { name: 'Output', exact: true })
    await output.getByText('onerror').first().waitFor()
    await page.getByRole('group', { name: 'Error' }).waitFor()
    await expectQuiet()
  })

  test('[H05] problems, hover and completions are text', story, async () => {
    await open('wrong.ts')
    await page.getByRole('tab', { name: 'Problems' }).click()
    await page.getByRole('list', { name: 'Problems' }).getByText('onerror').first().waitFor()
    const word = page
      .locator('.monaco-editor:visible .view-line span')
      .filter({ hasText: /^documented$/ })
      .last()
    await word.hover()
    await page.locator('.monaco-hover:visible').first().waitFor()
    await expectQuiet()
    await page.locator('.monaco-editor:visible').locator('textarea, .native-edit-context').first().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('documente')
    await page.keyboard.press('Control+Space')
    await page.locator('.suggest-widget:visible').getByText('documented').first().waitFor()
    await page.keyboard.press('Control+Space')
    await expectQuiet()
  })
})

const quoted = (text: string) => text.replaceAll('"', '""')

const printing = (payloads: readonly string[]) => `const all = ${JSON.stringify(payloads)}
for (const one of all) console.log(one)
for (const one of all) console.error(one)
throw new Error(all.slice(0, 20).join('\\n'))
`

const wrong = `/**
 * <img src=x onerror=globalThis.${flag}=1> [x](javascript:globalThis.${flag}=1) <svg onload="globalThis.${flag}=1">
 */
export const documented: '<img src=x onerror=globalThis.${flag}=1>' = 1
documented
`
