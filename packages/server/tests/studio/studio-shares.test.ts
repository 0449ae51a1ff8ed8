import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const answer = `\`\`\`js title="Sum"
console.log('adding');
[1, 2, 3].reduce((a, b) => a + b)
\`\`\`

\`\`\`mermaid title="Flow"
graph LR; A[Ask] --> B[Answer]
\`\`\`
`

describe.skipIf(!hasChromium)('shares of blocks', () => {
  let studio: Studio
  /** A site of somebody else: it holds embeds, and hears of requests that must not come. */
  let site: Server
  let embedded = ''
  const arrived: string[] = []

  beforeAll(async () => {
    site = createServer((request, response) => {
      if (request.url !== '/') arrived.push(request.url ?? '')
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>A blog</title><h1>A blog</h1>${embedded}`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    studio = await openStudio()
  }, 240_000)
  afterAll(async () => {
    await studio.close()
    site.close()
  })

  async function makeThread(): Promise<{ id: string; messageId: string }> {
    const said = (id: string, role: 'user' | 'assistant', text: string) => ({
      ...{ id, parentId: role === 'user' ? null : 'one', role, createdAt: '2026-01-01T00:00:00.000Z' },
      ...{ createdBy: 'Ann', parts: [{ type: 'text' as const, text }] },
    })
    const thread = await studio.owner.call(routes.threads.import, {
      body: {
        ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Blocks' },
        messages: [said('one', 'user', 'Show me'), said('two', 'assistant', answer)],
      },
    })
    return { id: thread.id, messageId: thread.messages[1]?.id ?? '' }
  }

  const outside = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

  async function makeShare(code: string): Promise<{ id: string; url: string; embedUrl: string | null }> {
    const { id, messageId } = await makeThread()
    const artifact = await studio.owner.call(routes.artifacts.open, { params: { id, messageId }, body: { index: 0 } })
    if (code !== artifact.code)
      await studio.owner.call(routes.artifacts.save, {
        params: { id: artifact.id },
        body: { code, expectedVersion: 1 },
      })
    return studio.owner.call(routes.shares.create, { body: { artifactId: artifact.id, reach: 'public', mode: 'run' } })
  }

  const run = async (on: Page | Frame) => on.getByRole('button', { name: 'Run', exact: true }).click()

  test('a block is shared from its menu, opened signed out, run there, and revoked', { timeout: 240_000 }, async () => {
    const { page } = studio
    const { id } = await makeThread()
    await page.goto(`/threads/${id}`)
    const block = page.getByRole('region', { name: 'Block: Sum' })
    await block.getByRole('button', { name: 'Run', exact: true }).click()
    await block.getByText('succeeded').waitFor()
    await block.getByRole('button', { name: 'More for this block' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    const dialog = page.getByRole('dialog')
    const pick = async (label: string, choice: string) => {
      await dialog.getByLabel(label, { exact: true }).click()
      await page.getByRole('option', { name: choice }).click()
    }
    await pick('For', 'Anyone with the link')
    await pick('They may', 'Run')
    await dialog.getByRole('checkbox').click()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = (await dialog.getByLabel('Link', { exact: true }).textContent()) ?? ''
    expect(await dialog.getByLabel('Embed code').textContent()).toContain('/embed/')
    await expectAccessible(page)

    const visitor = await studio.openWindow({})
    await visitor.goto(url)
    await visitor.getByRole('heading', { name: 'Sum' }).waitFor()
    await visitor.getByText('adding').first().waitFor()
    await visitor.getByRole('button', { name: 'Edit' }).click()
    await visitor.getByRole('textbox', { name: 'Code of Sum' }).fill('console.log("mine"); 6 * 7')
    await run(visitor)
    await visitor.getByText('mine', { exact: true }).waitFor()
    await visitor.getByText('42', { exact: true }).first().waitFor()
    await expectAccessible(visitor)
    // nothing of it came to the server
    const { items } = await studio.owner.call(routes.artifacts.ofThread, { params: { id } })
    expect(items.map(({ version }) => version)).toEqual([1])

    // the team finds it in its gallery
    await page.getByRole('button', { name: 'Close' }).first().click()
    await page.goto('/gallery')
    await page.getByRole('link', { name: 'Sum' }).click()
    await page.getByRole('heading', { name: 'Sum' }).waitFor()
    await expectAccessible(page)

    await page.goto(`/threads/${id}`)
    await block.getByRole('button', { name: 'More for this block' }).click()
    await page.getByRole('menuitem', { name: 'Share' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).count()).toBe(0)
    await visitor.reload()
    await visitor.getByText('This link leads nowhere').waitFor()
  })

  test('a conversation is shared from its menu, and read signed out', { timeout: 180_000 }, async () => {
    const { page } = studio
    const { id } = await makeThread()
    await page.goto(`/threads/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Share a link…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('For', { exact: true }).click()
    await page.getByRole('option', { name: 'Anyone with the link' }).click()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = (await dialog.getByLabel('Link', { exact: true }).textContent()) ?? ''
    await expectAccessible(page)
    const visitor = await studio.openWindow({})
    await visitor.goto(url)
    await visitor
      .getByRole('article', { name: /^Answer of/ })
      .getByText('Sum')
      .first()
      .waitFor()
    expect(await visitor.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0)
    await expectAccessible(visitor)
  })

  test('an embed runs on a page of another site, in a frame without an origin', { timeout: 120_000 }, async () => {
    const share = await makeShare('console.log("in a frame"); 6 * 7')
    embedded = `<iframe src="${share.embedUrl}" width="600" height="400" sandbox="allow-scripts allow-popups"></iframe><iframe src="${share.url}"></iframe><iframe src="${studio.server.url}/"></iframe>`
    const visitor = await studio.openWindow({ person: studio.owner })
    await visitor.goto(`${outside().replace('127.0.0.1', 'localhost')}/`)
    const frame = visitor.frames().find((one) => one.url() === share.embedUrl)
    if (!frame) throw new Error('the embed is not there')
    await frame.getByRole('heading', { name: 'Sum' }).waitFor()
    await run(frame)
    await frame.getByText('in a frame', { exact: true }).waitFor()
    await frame.getByText('42', { exact: true }).first().waitFor()
    // the page of a share and the studio itself are held by no other site
    const held = visitor.frames().map((one) => one.url())
    expect(held).not.toContain(share.url)
    expect(held).not.toContain(`${studio.server.url}/`)
  })

  test('a shared page has nothing of who looks at it, and its code has less', { timeout: 180_000 }, async () => {
    const share = await makeShare('1')
    // signed in: there is something to lose
    const reader = await studio.openWindow({ person: studio.owner })
    await reader.goto('/')
    await reader.evaluate("localStorage.setItem('canary', 'mine')")
    await reader.goto(share.url)
    await reader.getByRole('heading', { name: 'Sum' }).waitFor()
    const api = `${studio.server.url}/api/v1/me`
    // what the page itself can do, were a script of somebody else in it
    const probes: Record<string, string> = {
      cookies: 'document.cookie',
      storage: "localStorage.getItem('canary')",
      'session storage': 'sessionStorage.length',
      database:
        "new Promise((yes, no) => { const r = indexedDB.open('x'); r.onsuccess = yes; r.onerror = () => no(r.error) })",
      'reading the API': `fetch('${api}', { credentials: 'include' }).then((r) => r.text())`,
      'writing to the API': `fetch('${studio.server.url}/api/v1/teams', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '{"name":"Taken"}' }).then((r) => r.text())`,
      'another site': `fetch('${outside()}/stolen').then((r) => r.text())`,
    }
    for (const [name, code] of Object.entries(probes)) {
      const got: unknown = await reader
        .evaluate(`(async () => ({ got: await (${code}) }))()`)
        .catch((error: Error) => error.message)
      expect([name, typeof got]).toEqual([name, 'string'])
    }
    const { team } = await studio.owner.call(routes.signIn.me, {})
    expect(team?.name).not.toBe('Taken')

    // the same probes work where a page has an origin
    const studioPage = await studio.openWindow({ person: studio.owner })
    await studioPage.goto('/')
    expect(await studioPage.evaluate(`fetch('${api}').then((r) => r.status)`)).toBe(200)
    expect(await studioPage.evaluate("localStorage.getItem('none')")).toBeNull()

    // code of the block
    const codes: Record<string, string> = {
      'the network': `await new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = yes; x.onerror = () => no(new Error('refused')); x.open('GET', '${outside()}/out'); x.send() })`,
      'our API': `await new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = yes; x.onerror = () => no(new Error('refused')); x.open('GET', '${share.url.replace('/s/', '/api/v1/shared/')}'); x.send() })`,
      cookies: 'document.cookie',
      storage: "localStorage.getItem('canary')",
      'the page': 'parent.document.title',
    }
    for (const [name, code] of Object.entries(codes)) {
      if ((await reader.getByRole('textbox').count()) === 0) await reader.getByRole('button', { name: 'Edit' }).click()
      await reader.getByRole('textbox').fill(`${code}; 'reached'`)
      await run(reader)
      await expect
        .poll(() => reader.getByRole('group', { name: 'Error' }).count(), { message: name, timeout: 20_000 })
        .toBe(1)
      expect([name, await reader.getByText('reached', { exact: true }).count()]).toEqual([name, 0])
      await reader.getByRole('button', { name: 'Undo changes' }).click()
    }
    expect(arrived).toEqual([])
  })

  test('a conversation is exported as a notebook, and a notebook is imported', { timeout: 120_000 }, async () => {
    const { page } = studio
    const { id, messageId } = await makeThread()
    const report = { status: 'succeeded' as const, output: [{ at: 0, stream: 'log' as const, text: 'adding' }] }
    await studio.owner.call(routes.artifacts.executeFence, {
      params: { id, messageId },
      body: { index: 0, runtime: 'browser', report: { ...report, result: 6, durationMs: 1 } },
    })
    await page.goto(`/threads/${id}`)
    await page.getByRole('region', { name: 'Block: Sum' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as a Jupyter notebook' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe('thread.ipynb')
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    await page
      .getByLabel('Exported conversation')
      .setInputFiles({ name: 'Sums.ipynb', mimeType: '', buffer: Buffer.concat(chunks) })
    await page.waitForURL((url) => url.pathname.startsWith('/threads/') && !url.pathname.endsWith(id))
    const block = page.getByRole('region', { name: 'Block: Sum' })
    await block.getByText('succeeded').waitFor()
    await block.getByText('adding', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Sums' }).first().waitFor()
  })

  test('headers let other sites hold the embed alone, and open only what is the same for all', async () => {
    const { url, embedUrl } = await makeShare('1')
    const headersOf = async (address: string) =>
      (await fetch(address, { headers: { accept: 'text/html', origin: 'null' } })).headers
    const page = await headersOf(url)
    expect(page.get('content-security-policy')).toMatch(/sandbox allow-scripts [^;]*; frame-ancestors 'none'$/)
    expect(page.get('x-frame-options')).toBe('DENY')
    const embed = await headersOf(embedUrl ?? '')
    expect(embed.get('content-security-policy')).not.toContain('frame-ancestors')
    for (const headers of [page, embed]) {
      expect(headers.get('content-security-policy')).not.toContain('allow-same-origin')
      expect(headers.get('set-cookie')).toBeNull()
    }
    for (const path of ['/', '/s/', '/embed/', '/embed/a/b', '/s/../threads', '/api/v1/me', '/runtimes/worker']) {
      const headers = await headersOf(`${studio.server.url}${path}`)
      expect([path, headers.get('x-frame-options') === null, headers.get('access-control-allow-origin')]).toEqual([
        path,
        false,
        null,
      ])
    }
  })
})
