import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes, type RunRequest } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { leadTo, openStudio, type Studio } from '../harness/studio.ts'
import type { TestPerson } from '../harness/test-server.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('runs in the studio', () => {
  let studio: Studio
  let owner: TestPerson
  let page: Page

  beforeAll(async () => {
    studio = await openStudio()
    ;({ owner, page } = studio)
  })
  afterAll(() => studio.close())

  const run = (body: RunRequest) => owner.call(routes.runs.create, { body })
  const start = (body: RunRequest) => owner.call(routes.runs.create, { query: { wait: 'false' }, body })

  async function typeCode(on: Page, code: string): Promise<void> {
    await on.locator('.monaco-editor:visible .view-line').first().click()
    await on.keyboard.press('Control+A')
    await on.keyboard.insertText(code)
  }

  async function pickLanguage(on: Page, name: string): Promise<void> {
    const select = on.getByRole('combobox', { name: 'Language' })
    await select.click()
    await on.getByRole('option', { name }).click()
    await on.waitForURL(new RegExp(`file=main.${name === 'JavaScript' ? 'js' : name === 'Bash' ? 'sh' : 'py'}`))
    // the list gives the focus back when it is gone; typing before that would go nowhere
    await expect.poll(() => select.evaluate((element) => element.matches(':focus'))).toBe(true)
  }

  test('a new team is led from the empty list to the scratch, where code runs at Ctrl-Enter', story, async () => {
    await page.goto('/')
    await page.getByRole('heading', { name: 'Hello, Olga' }).waitFor()
    // one right after the other: a busy page takes its time with each, and too long a pause makes them two keys
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('r')])
    await page.getByText('No code ran yet').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Write some code' }).click()
    await pickLanguage(page, 'JavaScript')
    await typeCode(page, 'console.log("made", 6 * 7)\n;({ answer: 42 })')
    await page.keyboard.press('Control+Enter')
    await page.getByText('succeeded', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Output', exact: true }).getByText('made 42').waitFor()
    await page.getByRole('region', { name: 'Result' }).getByText('answer:').waitFor()
    await expectAccessible(page)
  })

  test(
    'a long run shows its output as it happens and stops at Ctrl-full-stop; the draft survives a reload',
    story,
    async () => {
      await page.goto('/scratch')
      await pickLanguage(page, 'Python')
      await typeCode(page, 'import time\nfor n in range(600): print("tick", n, flush=True) or time.sleep(0.1)')
      await page.keyboard.press('Control+Enter')
      await page.getByText('tick 3', { exact: true }).waitFor()
      await page.getByText('running', { exact: true }).waitFor()
      await page.keyboard.press('Control+.')
      await page.getByText('cancelled', { exact: true }).first().waitFor()
      await page.reload()
      await page.getByText('cancelled', { exact: true }).first().waitFor()
      await page.locator('.view-line', { hasText: 'for n in range(600)' }).waitFor()
    },
  )

  test('the list shows runs as they come and go, and its filters are in the address', story, async () => {
    await leadTo(page, '/runs')
    const rows = page.getByRole('table', { name: 'Executions' }).locator('tbody tr')
    await rows.first().waitFor()
    const { id } = await start({ language: 'bash', code: 'sleep 60 # the slow one' })
    const slow = rows.filter({ hasText: 'the slow one' })
    await slow.getByText('running').waitFor()
    await owner.call(routes.runs.cancel, { params: { id } })
    await slow.getByText('cancelled', { exact: true }).waitFor()

    await page.getByRole('searchbox', { name: 'Search in questions, answers and code' }).fill('slow one')
    await page.waitForURL(/search=/)
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Python' }).click()
    await page.getByText('Nothing matches').waitFor()
    expect(new URL(page.url()).searchParams.get('language')).toBe('python')
    await page.getByRole('button', { name: /Remove filter Language/ }).click()
    await slow.waitFor()

    await slow.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Bash run' }).waitFor()
    expect(page.url()).toContain(`open=${id}`)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).not.toContain(id)
  })

  test('a page shows a change that happened before its event socket was open', story, async () => {
    const early = await page.context().newPage()
    const heard = Promise.withResolvers<void>()
    await early.routeWebSocket(/\/events$/, async (socket) => {
      await heard.promise
      socket.connectToServer()
    })
    await early.goto('/runs')
    const rows = early.getByRole('table', { name: 'Executions' }).locator('tbody tr')
    await rows.first().waitFor()
    await run({ language: 'bash', code: 'echo # nobody listened' })
    heard.resolve()
    await rows.filter({ hasText: 'nobody listened' }).waitFor()
    await early.close()
  })

  test('an error names its kind and leads to the marked line, in the file it is in', story, async () => {
    const { id } = await run({
      language: 'typescript',
      code: 'import { check } from "./lib/check.ts"\n\ncheck(-1)\n',
      files: {
        'lib/check.ts': 'export function check(n: number) {\n  if (n < 0) throw new RangeError("too small")\n}\n',
      },
    })
    await leadTo(page, `/runs/${id}`)
    const error = page.getByRole('group', { name: 'Error' })
    await error.getByText('RangeError: too small').waitFor()
    const failed = page.locator('.failed-line')
    await failed.waitFor()
    await page.locator('.view-line', { hasText: 'if (n < 0) throw' }).waitFor()
    await error.getByRole('button', { name: 'main.ts:3:1' }).click()
    await page.locator('.view-line', { hasText: 'check(-1)' }).waitFor()
    expect(await failed.count()).toBe(0)
    await error.getByRole('button', { name: 'lib/check.ts, line 2' }).click()
    await page.locator('.view-line', { hasText: 'if (n < 0) throw' }).waitFor()
    await failed.waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByText('Chosen: ').waitFor()
    await page.getByRole('link', { name: 'Edit in Scratch' }).click()
    await page.waitForURL(/\/workspaces\/.*file=main.ts/)
    await page.getByRole('treeitem', { name: 'lib' }).waitFor()
    await page.locator('.monaco-editor:visible .view-line', { hasText: 'check(-1)' }).waitFor()
  })

  test('of many files the tab of the one that failed is in sight', story, async () => {
    const others = Array.from({ length: 40 }, (_, n) => [`part-${n}.ts`, `export const part = ${n}\n`])
    const { id } = await run({
      language: 'typescript',
      code: 'import { check } from "./the/last/of/them.ts"\n\ncheck(-1)\n',
      files: {
        ...Object.fromEntries(others),
        'the/last/of/them.ts':
          'export function check(n: number) {\n  if (n < 0) throw new RangeError("too small")\n}\n',
      },
    })
    await leadTo(page, `/runs/${id}`)
    await page.locator('.failed-line').waitFor()
    const strip = await page.getByRole('group', { name: 'Files of the program' }).boundingBox()
    const tab = page.getByRole('button', { name: 'the/last/of/them.ts', exact: true, pressed: true })
    const place = await tab.boundingBox()
    expect(place && strip && place.x + place.width <= strip.x + strip.width + 1).toBe(true)
  })

  test('run details show the request beside the result, without the values of variables', story, async () => {
    const { id } = await run({
      language: 'python',
      code: 'import coherex\nprint("n is", coherex.input["order"]["n"])',
      files: { 'data/rows.csv': 'a,b\n1,2\n' },
      input: { order: { n: 21 }, notes: 'n'.repeat(600) },
      stdin: 'first line\nsecond line\n',
      args: ['--fast'],
      env: { API_TOKEN: 'hunter2' },
      limits: { timeoutMs: 5_000, memoryMb: 200 },
    })
    await leadTo(page, `/runs/${id}`)
    await page.getByText('n is 21').waitFor()
    await page.getByRole('tab', { name: 'Input' }).click()
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    await part('Input').getByText('n:').waitFor()
    // what is long is opened on demand
    await part('Input').getByRole('button', { name: '100 more characters' }).click()
    await part('Input').getByText('n'.repeat(600)).waitFor()
    await part('Standard input').getByText('second line').waitFor()
    await part('Arguments').getByText('--fast').waitFor()
    await part('Files').getByText('data/rows.csv').waitFor()
    await part('Variables').getByText('API_TOKEN').waitFor()
    expect((await part('Limits and options').innerText()).split(/\n+/)).toEqual([
      'Limits and options',
      'Time',
      '5 s',
      'Memory',
      '200 MB',
      'Output',
      'default',
      'Network',
      'none',
    ])
    expect(await page.getByText('hunter2').count()).toBe(0)
    await expectAccessible(page)
  })

  test('an address of no run says so, whether it was cut short or made up', story, async () => {
    for (const id of ['run_cut', `run_${'0'.repeat(26)}`]) {
      await page.goto(`/runs/${id}`)
      await page.getByText('Run not found').waitFor()
    }
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.getByRole('table', { name: 'Executions' }).waitFor()
  })

  test('a program that ran out of memory goes on with more of it at a click', story, async () => {
    const { id } = await run({
      language: 'javascript',
      code: 'const held = []\nfor (let n = 0; n < 40; n++) held.push(new Uint8Array(8_000_000).fill(1))\nheld.length',
      limits: { memoryMb: 128 },
    })
    await leadTo(page, `/runs/${id}`)
    await page.getByText('The code needed more than its 128 MB of memory').waitFor()
    await page.getByRole('button', { name: 'Raise memory to 512 MB and run again' }).click()
    await page.waitForURL((url) => /\/runs\/run_/.test(url.pathname) && !url.pathname.includes(id))
    await page.getByRole('region', { name: 'Result' }).getByText('40').waitFor({ timeout: 30_000 })
    expect(await page.getByRole('group', { name: 'Fixes' }).count()).toBe(0)
  })

  test('a run without a network names the host, and runs again with it when a person allows it', story, async () => {
    const code = `console.log('before')\nif (!env.FETCH) await fetch('https://api.example.com/x')\n'allowed'`
    const { id } = await run({ language: 'javascript', code })
    await leadTo(page, `/runs/${id}`)
    const error = page.getByRole('group', { name: 'Error' })
    await error.getByText('This run has no network: it asked for api.example.com').waitFor()
    const above = await page.getByText('before', { exact: true }).boundingBox()
    const below = await error.boundingBox()
    expect(above!.y).toBeLessThan(below!.y)
    await expectAccessible(page)
    await error.getByRole('button', { name: 'Allow api.example.com and run again' }).click()
    await page.waitForURL((url) => /\/runs\/run_/.test(url.pathname) && !url.pathname.includes(id))
    await page.getByRole('region', { name: 'Result' }).getByText('allowed').waitFor()
    await page.getByRole('tab', { name: 'Input' }).click()
    await page.getByText('https://api.example.com/', { exact: true }).waitFor()
  })

  test('a plot, a table, a file and colours are shown as what they are', story, async () => {
    const { id } = await run({
      language: 'python',
      code: [
        'import pandas as pd, matplotlib.pyplot as plt',
        'print("\\033[31mred\\033[0m", "\\033]8;;https://evil.example\\x07text\\033]8;;\\x07")',
        'plt.plot([1, 4, 9]); plt.show()',
        'open("table.csv", "w").write("a,b")',
        'pd.DataFrame({"team": ["north"], "sold": [12]})',
      ].join('\n'),
    })
    await leadTo(page, `/runs/${id}`)
    await page.locator('.ansi-1', { hasText: 'red' }).waitFor()
    const image = page.getByRole('img', { name: /^Image/ })
    await image.waitFor()
    await expect
      .poll(() => image.evaluate((shown) => Reflect.get(shown, 'naturalWidth') as number))
      .toBeGreaterThan(100)
    await page.getByRole('cell', { name: 'north' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: /Files/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download table.csv' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('table.csv')
  })

  test('a chart of Plotly, one of Vega-Lite and a sound are shown, and a broken chart says why', story, async () => {
    const { id } = await run({
      language: 'python',
      code: `
import base64, io, wave
bars = {"data": [{"type": "bar", "x": ["north", "south"], "y": [3, 5]}], "layout": {"title": {"text": "Sales"}}}
display({"application/vnd.plotly.v1+json": bars, "text/html": "<p>needs a site</p>"}, raw=True)
display({"application/vnd.vegalite.v5+json": {
  "data": {"values": [{"place": "north", "sold": 3}]}, "mark": "bar",
  "encoding": {"x": {"field": "place"}, "y": {"field": "sold", "type": "quantitative"}},
}}, raw=True)
display({"application/vnd.vegalite.v5+json": {"marks and no data": True}}, raw=True)
sound = io.BytesIO()
with wave.open(sound, "wb") as file:
    file.setparams((1, 1, 8000, 800, "NONE", ""))
    file.writeframes(bytes(128 for _ in range(800)))
display({"audio/wav": base64.b64encode(sound.getvalue()).decode()}, raw=True)
`,
    })
    await leadTo(page, `/runs/${id}`)
    const charts = page.getByRole('img', { name: 'Chart shown by the run' })
    await charts.nth(0).frameLocator('iframe').getByText('Sales').waitFor()
    await charts.nth(0).frameLocator('iframe').getByText('south').waitFor()
    await charts.nth(1).frameLocator('iframe').getByText('north').waitFor()
    await page.getByRole('alert').filter({ hasText: 'Invalid specification' }).waitFor()
    const sound = page.getByLabel('Sound shown by the run')
    await expect
      .poll(() => sound.evaluate((element) => (element as unknown as { duration: number }).duration))
      .toBe(0.1)
    await expectAccessible(page)
  })

  test('a file cannot hide what it is behind marks that turn writing around', story, async () => {
    const { id } = await run({ language: 'python', code: 'open("photo\\u202egpj.exe", "w").close()' })
    await leadTo(page, `/runs/${id}`)
    await page.getByRole('tab', { name: /Files/ }).click()
    await page.getByTitle('photo\\u202egpj.exe').waitFor()
    await page.getByRole('link', { name: 'Download photo\\u202egpj.exe' }).waitFor()
  })

  test('HTML output of a run executes no script, sends no request and cannot leave its frame', story, async () => {
    const canary = await openCanary()
    const at = (path: string) => `${canary.url}/${path}`
    const html = `<p id="text">Visible</p>
      <script>parent.document.title = 'taken'; fetch('${at('fetch')}'); location = '${at('location')}'</script>
      <img src="${at('img')}" onerror="parent.document.title = 'taken'"><img srcset="${at('srcset')} 2x">
      <svg><image href="${at('svg-image')}"/><a xlink:href="${at('svg-link')}"><text y="20">svg</text></a></svg>
      <meta http-equiv="refresh" content="0;url=${at('refresh')}"><base href="${canary.url}/">
      <link rel="stylesheet" href="${at('style')}"><link rel="preconnect" href="${canary.url}"><link rel="prefetch" href="${at('prefetch')}">
      <style>@import '${at('import')}'; body { background: url(${at('background')}) } @font-face { font-family: x; src: url(${at('font')}) } p { font-family: x }</style>
      <iframe src="${at('frame')}"></iframe><iframe srcdoc="<script>top.document.title='taken'</script>"></iframe>
      <object data="${at('object')}"></object><embed src="${at('embed')}"><video src="${at('video')}" autoplay></video>
      <form action="${at('form')}"><button id="send">send</button></form>
      <a id="link" href="${at('link')}" target="_top" ping="${at('ping')}">a link</a> <a id="blank" href="${at('blank')}" target="_blank">another</a>`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="fetch('${at('onload')}')"><script>fetch('${at('svg-script')}')</script><image href="${at('in-svg')}" width="9" height="9"/></svg>`
    const markdown = `![dot](${at('in-markdown')}) <img src="${at('markdown-html')}"> and $x^2$`
    const { id } = await run({
      language: 'javascript',
      code: `display.html(${JSON.stringify(html)}); display.svg(${JSON.stringify(svg)}); display.markdown(${JSON.stringify(markdown)})`,
    })
    await leadTo(page, `/runs/${id}`)
    const frame = page.frameLocator('iframe')
    await frame.getByText('Visible').waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
    await page.getByRole('img', { name: 'Image shown by the run' }).waitFor()
    await page.getByRole('link', { name: /^dot from/ }).waitFor()
    await page.locator('[data-formula="$x^2$"] .katex-html').waitFor()
    for (const link of ['#link', '#blank']) await frame.locator(link).click()
    await frame.getByText('Visible').waitFor()
    expect([await page.title(), new URL(page.url()).pathname, page.context().pages().length]).toEqual([
      expect.not.stringContaining('taken'),
      `/runs/${id}`,
      1,
    ])
    expect(canary.hits).toEqual([])

    // the canary sings: a page that may load it does
    const control = await studio.browser.newPage()
    await control.setContent(`<img src="${at('control')}">`)
    await expect.poll(() => canary.hits).toContain('/control')
    await control.close()
    canary.close()
  })

  test(
    'Markdown that is made to take long, or all of the stack, is shown and leaves the page usable',
    story,
    async () => {
      const texts = [
        '>'.repeat(9_000),
        '*a **b '.repeat(1_400),
        `|${'a|'.repeat(300)}\n|${'-|'.repeat(300)}\n${'|\n'.repeat(3_500)}`,
      ]
      const { id } = await run({
        language: 'javascript',
        code: `for (const text of ${JSON.stringify([...texts, 'It ends **here**.'])}) display.markdown(text)`,
      })
      await leadTo(page, `/runs/${id}`)
      const output = page.getByRole('region', { name: 'Output', exact: true })
      await output.locator('blockquote').first().waitFor()
      expect(await page.locator('body *').count()).toBeLessThan(10_000)
      await output.focus()
      await expect
        .poll(() => page.keyboard.press('End').then(() => output.locator('strong', { hasText: 'here' }).isVisible()))
        .toBe(true)
    },
  )

  test('fifty thousand lines are there, and only those in sight are drawn', story, async () => {
    const { id } = await run({ language: 'python', code: 'for n in range(50000): print("line", n)' })
    await leadTo(page, `/runs/${id}`)
    const output = page.getByRole('region', { name: 'Output', exact: true })
    await output.getByText('line 0', { exact: true }).waitFor()
    expect(await page.locator('body *').count()).toBeLessThan(3000)
    await output.focus()
    // lines may still be coming in when the key is pressed: whoever reads presses it again
    const last = output.getByText('line 49999', { exact: true })
    await expect.poll(() => page.keyboard.press('End').then(() => last.isVisible()), { timeout: 15_000 }).toBe(true)
    expect(await page.locator('body *').count()).toBeLessThan(3000)
  })

  test(
    'whoever follows the output has its end in sight when the run is over, however its lines wrap',
    story,
    async () => {
      const { id } = await start({ language: 'bash', code: 'sleep 60', limits: { timeoutMs: 60_000 } })
      const event = (number: number, type: string, data: object) =>
        `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
      const line = (number: number) =>
        event(number, 'run-output', {
          at: number,
          stream: 'stdout',
          text: `${`${'x'.repeat(45)} `.repeat(3)}line ${number}\n`,
        })
      const seen = Promise.withResolvers<void>()
      const path = `**/api/v1/runs/${id}/events`
      let streams = 0
      await page.route(path, async (route) => {
        streams += 1
        const run = await owner.call(routes.runs.get, { params: { id } })
        if (streams > 1) await seen.promise
        const rest = Array.from({ length: 1500 }, (_, at) => line(at + 2)).join('')
        const body =
          streams === 1
            ? event(0, 'run-start', run) + line(1)
            : rest + event(1502, 'run-end', { ...run, status: 'succeeded' })
        return route.fulfill({ contentType: 'text/event-stream', body })
      })
      await leadTo(page, `/runs/${id}`)
      const output = page.getByRole('region', { name: 'Output', exact: true })
      await output.getByText('line 1', { exact: false }).first().waitFor()
      // what is over within a second is read from its head
      await page.waitForTimeout(2000)
      seen.resolve()
      await page.locator('header').getByText('succeeded', { exact: true }).waitFor()
      const hiddenBelow = () =>
        output.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)
      await output.getByText('line 1501').waitFor()
      await expect.poll(hiddenBelow).toBeLessThan(2)
      await owner.call(routes.runs.cancel, { params: { id } })
      await page.unroute(path)
    },
  )

  test('output that broke off goes on after the last line that was read', story, async () => {
    const { id } = await start({
      language: 'python',
      // it is still under way when the page is there, however long that takes
      code: 'import time\nfor n in range(30): print("beat", n, flush=True) or time.sleep(0.1)\ntime.sleep(60)',
      limits: { timeoutMs: 60_000 },
    })
    const whole = () => owner.call(routes.runs.get, { params: { id } })
    await expect.poll(async () => (await whole()).output.length).toBeGreaterThan(0)
    const askedAfter: (string | undefined)[] = []
    const path = `**/api/v1/runs/${id}/events`
    await page.route(path, async (route) => {
      askedAfter.push(route.request().headers()['last-event-id'])
      if (askedAfter.length > 1) return route.continue()
      const { output, ...run } = await whole()
      const started = `id: 0\nevent: run-start\ndata: ${JSON.stringify({ ...run, output: [] })}\n\n`
      const first = `id: 1\nevent: run-output\ndata: ${JSON.stringify(output[0])}\n\n`
      const body = `${started}${first}id: 2\nevent: run-out`
      return route.fulfill({ contentType: 'text/event-stream', body })
    })
    await leadTo(page, `/runs/${id}`)
    const output = page.getByRole('region', { name: 'Output', exact: true })
    await output.getByText('beat 29', { exact: true }).waitFor()
    const beats = (await output.innerText()).match(/beat \d+/g)
    expect(beats).toEqual(Array.from({ length: 30 }, (_, n) => `beat ${n}`))
    expect(askedAfter).toEqual(['-1', '1'])
    await owner.call(routes.runs.cancel, { params: { id } })
    await page.unroute(path)
  })

  test('a connection that is back is not called broken, however little the program says', story, async () => {
    const { id } = await start({
      language: 'python',
      code: 'import time\nprint("the only line", flush=True)\ntime.sleep(60)',
      limits: { timeoutMs: 60_000 },
    })
    const whole = () => owner.call(routes.runs.get, { params: { id } })
    await expect.poll(async () => (await whole()).output.length).toBe(1)
    const path = `**/api/v1/runs/${id}/events`
    let state: 'cut' | 'away' | 'back' = 'cut'
    await page.route(path, async (route) => {
      if (state === 'back') return route.continue()
      if (state === 'away') return route.abort()
      state = 'away'
      const { output, ...run } = await whole()
      const started = `id: 0\nevent: run-start\ndata: ${JSON.stringify({ ...run, output: [] })}\n\n`
      const line = `id: 1\nevent: run-output\ndata: ${JSON.stringify(output[0])}\n\n`
      return route.fulfill({ contentType: 'text/event-stream', body: started + line })
    })
    await leadTo(page, `/runs/${id}`)
    const notice = page.getByText('Connection lost')
    await notice.waitFor()
    state = 'back'
    await notice.waitFor({ state: 'detached' })
    await page.locator('header').getByText('running', { exact: true }).waitFor()
    await owner.call(routes.runs.cancel, { params: { id } })
    await page.unroute(path)
  })

  test('an answer from before the end does not take the end back', story, async () => {
    const { id } = await start({ language: 'bash', code: 'sleep 60', limits: { timeoutMs: 60_000 } })
    const asked = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const late = Promise.withResolvers<void>()
    let answers = 0
    await page.route(`**/api/v1/runs/${id}`, async (route) => {
      answers += 1
      const response = await route.fetch()
      const before = { ...(await response.json()), status: 'queued' }
      // seen in the queue it is asked for again, and that answer is the one that comes too late
      if (answers > 1) {
        asked.resolve()
        await ended.promise
      }
      await route.fulfill({ response, json: before })
      if (answers > 1) late.resolve()
    })
    await page.route(`**/api/v1/runs/${id}/events`, async (route) => {
      await asked.promise
      await route.continue()
    })
    const word = page.locator('header').getByText('cancelled', { exact: true })
    await leadTo(page, `/runs/${id}`)
    await asked.promise
    await owner.call(routes.runs.cancel, { params: { id } })
    await word.waitFor()
    const arrived = page.waitForResponse((response) => response.url().endsWith(`/runs/${id}`))
    ended.resolve()
    await late.promise
    await (await arrived).finished()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
    expect(await word.isVisible()).toBe(true)
    await page.unrouteAll()
  })

  test('two windows show what is typed in either of them, and show it to nobody else', story, async () => {
    const someone = await studio.openWindow({ person: await studio.server.invite(owner, 'editor') })
    const beside = await someone.context().newPage()
    const windows = { left: someone, right: beside }
    const shows = (on: Page, text: string) => on.locator('.view-line', { hasText: text }).waitFor()
    for (const [name, on] of Object.entries(windows)) {
      await on.goto('/scratch')
      await typeCode(on, `print("typed on the ${name}")`)
      await shows(on, name)
    }
    for (const on of Object.values(windows)) await shows(on, 'typed on the right')
    await someone.context().addCookies(await page.context().cookies())
    for (const on of [beside, someone]) {
      await on.reload()
      await on.getByText('Workspace not found').waitFor()
      expect(await on.getByText('typed on').count()).toBe(0)
    }
    await someone.context().close()
  })

  test('without the large editor one types and runs all the same', story, async () => {
    const bare = await studio.openWindow({ person: owner, colorScheme: 'dark' })
    await bare.route(/\/assets\/monaco-editor-.*\.js/, (route) => route.abort())
    await bare.goto('/scratch')
    await bare.getByText('The editor could not be loaded').waitFor()
    await pickLanguage(bare, 'Python')
    await bare.getByRole('textbox', { name: 'main.py' }).fill('print("typed", "plainly")')
    await bare.keyboard.press('Control+Enter')
    await bare.getByText('typed plainly').waitFor()
    await expectAccessible(bare)
    // from anywhere on the page, once; its output is there before it is over
    await bare.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await bare.getByRole('button', { name: 'Options' }).click()
    await bare.getByRole('checkbox', { name: 'Write no files' }).click()
    const newest = async () => (await owner.call(routes.runs.list, { query: { limit: 2 } })).items.map(({ id }) => id)
    const [before] = await newest()
    await bare.keyboard.press('Control+Enter')
    await expect.poll(newest).toEqual([expect.not.stringMatching(`^${before}$`), before])
    await bare.context().close()
  })

  test('a message that must be told while nothing can be fetched leaves the page as it is', story, async () => {
    const cut = await studio.openWindow({ person: owner })
    await cut.route(/\/assets\/toaster-.*\.js/, (route) => route.abort())
    await cut.route('**/api/v1/runs/*/cancel', (route) => route.abort())
    const { id } = await start({ language: 'bash', code: 'echo begun; sleep 60', limits: { timeoutMs: 60_000 } })
    await cut.goto(`/runs/${id}`)
    const printed = cut.getByRole('region', { name: 'Output', exact: true }).getByText('begun')
    await printed.waitFor()
    await cut.getByRole('button', { name: 'Stop' }).click()
    const message = cut.getByRole('status').filter({ hasText: 'Could not stop the run' })
    await message.waitFor()
    await printed.waitFor()
    await expectAccessible(cut)
    await message.getByRole('button', { name: 'Dismiss' }).click()
    expect(await cut.getByText('Could not stop the run').count()).toBe(0)
    await owner.call(routes.runs.cancel, { params: { id } })
    await cut.context().close()
  })

  test('Scratch keeps code and options per language through undo and reload', story, async () => {
    const drafts = await studio.openWindow({ person: await studio.server.invite(owner, 'editor') })
    const shows = (text: string) => drafts.locator('.monaco-editor:visible .view-line', { hasText: text }).waitFor()
    await drafts.goto('/scratch')
    await shows('import math')
    await drafts.getByRole('button', { name: 'Options' }).click()
    await drafts.getByRole('textbox', { name: 'Input as JSON' }).fill('{ "n": 21 }')
    await drafts.reload()
    await drafts.getByRole('button', { name: 'Options · 1' }).waitFor()

    await typeCode(drafts, 'print("mine")')
    await pickLanguage(drafts, 'Bash')
    await pickLanguage(drafts, 'Python')
    await shows('print("mine")')
    const entry = drafts.locator('.monaco-editor:visible .view-lines')
    await drafts.getByRole('button', { name: 'Examples' }).click()
    await drafts.getByRole('menuitem').nth(1).click()
    await expect.poll(() => entry.innerText()).not.toContain('mine')
    await drafts.getByRole('button', { name: 'Undo' }).click()
    await shows('print("mine")')

    await pickLanguage(drafts, 'Bash')
    await drafts.getByRole('button', { name: 'Examples' }).click()
    await drafts.getByRole('menuitem').nth(1).click()
    await expect.poll(() => entry.innerText()).toContain('colour')
    const example = await entry.innerText()
    await drafts.reload()
    await expect.poll(() => entry.innerText()).toBe(example)
    await drafts.context().close()
  })

  test('a last run that is not there, as in another team, keeps nobody from running code', story, async () => {
    const moved = await studio.openWindow({ person: owner })
    await moved.addInitScript(
      (key) => {
        if (!sessionStorage.getItem('moved')) localStorage.setItem(key, `run_${'0'.repeat(26)}`)
        sessionStorage.setItem('moved', 'yes')
      },
      `coherex.draft.run.${(await owner.call(routes.workspaces.openScratch, {})).id}`,
    )
    await moved.goto('/scratch')
    await pickLanguage(moved, 'Python')
    await typeCode(moved, 'print("runs", "all the same")')
    await moved.keyboard.press('Control+Enter')
    await moved.getByText('runs all the same').waitFor()
    await moved.context().close()
  })

  test('only what honest code rarely does is called so, and its alert leads back to the run', story, async () => {
    const late = await run({ language: 'bash', code: 'sleep 60', limits: { timeoutMs: 200 } })
    expect(late.signs.map(({ kind }) => kind)).toEqual(['limit-kill'])
    await leadTo(page, `/runs/${late.id}`)
    await page.getByText('Out of time').waitFor()
    expect(await page.getByText('The sandbox saw').count()).toBe(0)

    const { id } = await run({ language: 'bash', code: 'sleep 60 &' })
    // an id that was copied somewhere leads to its run
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill(` ${id} `)
    await page.getByRole('option', { name: 'bash, succeeded' }).click()
    await page.getByText('The sandbox saw something unusual.').waitFor()
    await page.getByRole('link', { name: 'Show it in the audit log' }).click()
    await page.getByRole('row').filter({ hasText: 'raised an alert on the run' }).click()
    await page.getByText('processes that outlived the program').waitFor()
    await page.getByRole('link', { name: 'Open the run' }).click()
    await page.waitForURL(`**/runs/${id}`)
  })

  test('an editor that comes late takes the focus from nobody', story, async () => {
    const slow = await studio.openWindow({ person: owner })
    const asked = Promise.withResolvers<() => void>()
    await slow.route(/\/assets\/monaco-editor-.*\.js/, (route) => asked.resolve(() => void route.continue()))
    await slow.goto('/scratch')
    const language = slow.getByRole('combobox', { name: 'Language' })
    await language.focus()
    ;(await asked.promise)()
    await slow.locator('.monaco-editor .view-line').first().waitFor()
    expect(await language.evaluate((element) => element.matches(':focus'))).toBe(true)
    await slow.close()
  })

  test('viewers see runs, and why they cannot start one', story, async () => {
    const viewer = await studio.server.invite(owner, 'viewer')
    const theirs = await studio.openWindow({ person: viewer })
    await theirs.goto('/scratch')
    await theirs.getByText('Only editors, admins and owners can run code.').first().waitFor()
    await theirs.goto('/runs')
    await theirs.getByRole('table', { name: 'Executions' }).locator('tbody tr').first().waitFor()
    await theirs.context().close()
  })
})

/** A server of somebody else: whoever reaches it was let out. */
async function openCanary(): Promise<{ url: string; hits: string[]; close(): void }> {
  const hits: string[] = []
  const server: Server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    hits,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
