import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium, launchChromium, openWindow } from '../harness/chromium.ts'
import { startNpmRegistry, type NpmRegistry } from '../harness/outside/npm-registry.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

describe.skipIf(!hasChromium)('previews of pages and components', () => {
  let studio: Studio
  let registry: NpmRegistry
  /** Requests and packets that came to a server beside ours: none may. */
  let outside: Server
  let packets: Socket
  const arrived: string[] = []

  beforeAll(async () => {
    outside = createServer((request, response) => {
      arrived.push(request.url ?? '')
      response.setHeader('access-control-allow-origin', '*')
      response.end('reached')
    })
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
    packets = createSocket('udp4', () => arrived.push('a packet'))
    await new Promise<void>((resolve) => packets.bind(0, '127.0.0.1', resolve))
    registry = await startNpmRegistry()
    studio = await openStudio({ COHEREX_NPM_REGISTRY: registry.url })
  }, 240_000)
  afterAll(async () => {
    await studio.close()
    await registry.close()
    outside.close()
    packets.close()
  })

  const away = () => `http://127.0.0.1:${(outside.address() as AddressInfo).port}`

  async function make(fence: string): Promise<string> {
    const said = (id: string, role: 'user' | 'assistant', text: string) => ({
      ...{ id, parentId: role === 'user' ? null : 'one', role, createdAt: '2026-01-01T00:00:00.000Z' },
      ...{ createdBy: 'Ann', parts: [{ type: 'text' as const, text }] },
    })
    const { id } = await studio.owner.call(routes.threads.import, {
      body: {
        ...{ kind: 'coherex-thread', version: 1, agent: 'coder', title: 'Previews' },
        messages: [said('one', 'user', 'Show me'), said('two', 'assistant', fence)],
      },
    })
    return id
  }

  const show = async (fence: string) => studio.page.goto(`/threads/${await make(fence)}`)

  const inFrame = () => studio.page.getByRole('region', { name: /^Block: / }).frameLocator('iframe')
  const consoleOf = (title: string) => studio.page.getByRole('log', { name: `Console of ${title}` })

  test('a page runs its scripts when asked to, and shows its console', { timeout: 120_000 }, async () => {
    const { page } = studio
    await show(`\`\`\`html title="Counter"
<!doctype html><title>x</title><style>button { color: teal }</style>
<button id="b" onclick="this.textContent = ++n">none</button>
<script>let n = 0; console.log('began', { at: 1 }); setTimeout(() => { throw new Error('late') })</script>
\`\`\``)
    // before that it is a page without scripts
    await inFrame().getByText('none').waitFor()
    await page.getByRole('button', { name: 'Run scripts' }).click()
    const button = inFrame().getByRole('button', { name: 'none' })
    await button.click()
    await inFrame().getByRole('button', { name: '1', exact: true }).waitFor()
    await consoleOf('Counter').getByText('began { at: 1 }').waitFor()
    await consoleOf('Counter').getByText('Uncaught Error: late').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Full screen' }).click()
    await expect.poll(() => page.evaluate('document.fullscreenElement?.tagName')).toBe('IFRAME')
    await page.evaluate('document.exitFullscreen()')
    await page.getByRole('button', { name: 'Reload' }).click()
    await inFrame().getByRole('button', { name: 'none' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Run scripts' }).waitFor()
  })

  test('a React component runs with its state; what it lacks is said', { timeout: 120_000 }, async () => {
    const { page } = studio
    await show(`\`\`\`tsx title="Likes"
import { useState } from 'react'
interface Props { start?: number }
export default function Likes({ start = 2 }: Props) {
  const [count, setCount] = useState(start)
  return <button onClick={() => setCount(count + 1)}>{count} likes</button>
}
\`\`\``)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await inFrame().getByRole('button', { name: '2 likes' }).click()
    await inFrame().getByRole('button', { name: '3 likes' }).waitFor()
    for (const [code, words] of [
      [`import { LineChart } from 'recharts'\nexport default () => <LineChart />`, '"recharts" cannot be imported'],
      ['function App() { throw new Error("broken") }', 'broken'],
      ['const x = 1', 'The code has no component'],
    ]) {
      await show(`\`\`\`jsx title="Wrong"\n${code}\n\`\`\``)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page
        .getByRole('alert')
        .getByText(words ?? '')
        .waitFor()
    }
  })

  test('a React component imports packages, which share its React', { timeout: 120_000 }, async () => {
    const esm = (text: string) => ({ files: { 'index.js': text }, manifest: { type: 'module', exports: './index.js' } })
    await registry.publish(
      { name: 'wording', version: '1.0.0', ...esm(`export default (count) => count + ' likes'`) },
      {
        ...{ name: 'counting', version: '1.0.0' },
        files: { 'index.js': `const React = require('react'); exports.useCount = () => React.useState(2)` },
        manifest: { peerDependencies: { react: '*' } },
      },
      { name: 'react', version: '19.0.0', files: { 'index.js': `throw new Error('a second React')` } },
      { name: 'for-node', version: '1.0.0', files: { 'index.js': `module.exports = require('node:fs').readFileSync` } },
    )
    const { page } = studio
    await show(`\`\`\`tsx title="Likes"
import toWords from 'npm:wording@^1'
import { useCount } from 'counting'
export default function Likes() {
  const [count, setCount] = useCount()
  return <button onClick={() => setCount(count + 1)}>{toWords(count)}</button>
}
\`\`\``)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await inFrame().getByRole('button', { name: '2 likes' }).click()
    await inFrame().getByRole('button', { name: '3 likes' }).waitFor()
    for (const [name, why] of [
      ['for-node', 'they need "node:fs"'],
      ['not-there', 'not-there'],
    ]) {
      const code = `import toWords from 'wording'\nimport x from '${name}'\nexport default () => <p>{toWords(x)}</p>`
      await show(`\`\`\`jsx title="Wrong"\n${code}\n\`\`\``)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await expect
        .poll(() => page.getByRole('alert').textContent())
        .toMatch(new RegExp(`"${name}" cannot be imported: .*${why}`))
    }
  })

  /** Packets to a port, from code of a frame that the preview makes for it. */
  const inside = (given: string, port: number, place = 'document.body') =>
    `const code = "const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }); c.createDataChannel('x'); c.setLocalDescription()"; const i = document.createElement('iframe'); ${given}; ${place}.append(i); await new Promise((_, no) => setTimeout(no, 1000, new Error('stayed')))`

  /** Each says what it reached, or throws. */
  function hostileProbes(): Record<string, string> {
    const port = (packets.address() as AddressInfo).port
    const api = `${studio.server.url}/api/v1/me`
    return {
      cookies: 'document.cookie',
      'local storage': "localStorage.getItem('canary')",
      'session storage': 'sessionStorage.length',
      database:
        "await new Promise((yes, no) => { const r = indexedDB.open('x'); r.onsuccess = yes; r.onerror = () => no(r.error) })",
      'the studio': 'parent.document.title',
      'storage of the studio': "parent.localStorage.getItem('canary')",
      'the window above':
        "top.location.href = '/settings'; await new Promise((_, no) => setTimeout(no, 300, new Error('stayed')))",
      'our API': `await (await fetch('${api}', { credentials: 'include' })).text()`,
      fetch: `await (await fetch('${away()}/fetch')).text()`,
      request: `await new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = yes; x.onerror = () => no(new Error('refused')); x.open('GET', '${away()}/xhr'); x.send() })`,
      socket: `await new Promise((yes, no) => { const s = new WebSocket('${away().replace('http', 'ws')}/ws'); s.onopen = yes; s.onerror = () => no(new Error('refused')) })`,
      events: `await new Promise((yes, no) => { const s = new EventSource('${away()}/events'); s.onopen = yes; s.onerror = () => no(new Error('refused')) })`,
      image: `await new Promise((yes, no) => { const i = new Image(); i.onload = yes; i.onerror = () => no(new Error('refused')); i.src = '${away()}/image' })`,
      script: `await new Promise((yes, no) => { const s = document.createElement('script'); s.onload = yes; s.onerror = () => no(new Error('refused')); s.src = '${away()}/script'; document.body.append(s) })`,
      style: `await new Promise((yes, no) => { const s = document.createElement('link'); s.rel = 'stylesheet'; s.onload = yes; s.onerror = () => no(new Error('refused')); s.href = '${away()}/style'; document.head.append(s) })`,
      import: `await import('${away()}/module')`,
      worker: `await new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))); w.onmessage = yes; w.onerror = () => no(new Error('refused')) })`,
      'a window': `if (!open('${away()}/window')) throw new Error('refused')`,
      beacon: `navigator.sendBeacon('${away()}/beacon'); throw new Error('nobody knows')`,
      form: `document.body.innerHTML += '<form id=f action="${away()}/form"></form>'; f.submit(); await new Promise((_, no) => setTimeout(no, 300, new Error('stayed')))`,
      packets: `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }); c.createDataChannel('x'); await c.setLocalDescription(); await new Promise((_, no) => setTimeout(no, 1500, new Error('stayed')))`,
      'web transport': `await new WebTransport('${away().replace('http', 'https')}/transport').ready`,
      'packets of a page in it': `${inside(`i.srcdoc = '<script>' + code + '</scr' + 'ipt>'`, port)}`,
      'packets of a script in it': `${inside("i.src = 'javascript:' + encodeURIComponent(code)", port)}`,
      'packets of a frame in a shadow': `${inside("i.srcdoc = '<script>' + code + '</scr' + 'ipt>'", port, "document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' })")}`,
      'the window of a frame in it':
        "const i = document.createElement('iframe'); document.body.append(i); new i.contentWindow.RTCPeerConnection()",
      'a frame in it': `const i = document.createElement('iframe'); i.src = '${away()}/frame'; document.body.append(i); await new Promise((_, no) => setTimeout(no, 300, new Error('stayed')))`,
    }
  }

  /** Tries each in a preview; answers what its console says of them. */
  async function tryAll(fence: (script: string) => string, start: string): Promise<string[]> {
    const { page } = studio
    const script = Object.entries(hostileProbes())
      .map(([name, code]) => `await tryIt(${JSON.stringify(name)}, async () => { ${code}; return 'reached' })`)
      .join('\n')
    await show(
      fence(`const tryIt = async (name, work) => console.log(name + ': ' + await Promise.race([work().catch((e) => 'refused'), new Promise((r) => setTimeout(r, 4000, 'silent'))]));
(async () => { ${script}
console.log('all tried') })()`),
    )
    await page.getByRole('button', { name: start, exact: true }).click()
    await consoleOf('Hostile').getByText('all tried').waitFor({ timeout: 90_000 })
    const lines = await consoleOf('Hostile').locator('p').allTextContents()
    return lines.filter((line) => /^[\w ]+: (reached|refused|silent)$/.test(line))
  }

  const allRefused = () => Object.keys(hostileProbes()).map((name) => `${name}: refused`)

  test(
    'a hostile page reaches neither the studio, nor the API, nor any storage, nor the network',
    { timeout: 240_000 },
    async () => {
      const { page } = studio
      await page.goto('/')
      await page.evaluate("localStorage.setItem('canary', 'mine')")
      const lines = await tryAll(
        (script) => `\`\`\`html title="Hostile"\n<body><script>\n${script}\n</script></body>\n\`\`\``,
        'Run scripts',
      )
      expect(lines).toEqual(allRefused())

      // a page that leads its own frame away, by a script and without one
      for (const leading of [
        `<script>location.href = '${away()}/led'</script>`,
        `<meta http-equiv="refresh" content="0;url=${away()}/refreshed"><script></script>`,
        `<a id="a" href="${away()}/clicked">x</a><script>a.click()</script>`,
      ]) {
        await show(`\`\`\`html title="Leading"\n${leading}\n\`\`\``)
        await page.getByRole('button', { name: 'Run scripts' }).click()
        await page.waitForTimeout(1_500)
      }
      expect(arrived).toEqual([])
      expect(new URL(page.url()).pathname).toMatch(/^\/threads\//)
      expect(await page.evaluate("localStorage.getItem('canary')")).toBe('mine')
      // the probes are real: where there is a network, they reach it
      await studio.openWindow({}).then((other) => other.goto(`${away()}/control`))
      expect(arrived).toContain('/control')
    },
  )

  test('a hostile component reaches none of it either', { timeout: 240_000 }, async () => {
    const lines = await tryAll(
      (script) => `\`\`\`jsx title="Hostile"\n${script}\nexport default () => <p>Hostile</p>\n\`\`\``,
      'Run',
    )
    expect(lines).toEqual(allRefused())
    expect(arrived.filter((path) => path !== '/control' && path !== '/favicon.ico')).toEqual([])
  })

  test('a page that never rests does not stop the studio', { timeout: 120_000 }, async () => {
    // as browsers on desktops do by themselves: a frame without an origin has its own process
    const browser = await launchChromium(['--site-per-process'])
    try {
      const page = await openWindow(browser, studio.server.url, { person: studio.owner })
      const id = await make('```html title="Endless"\n<p>x</p><script>for (;;) {}</script>\n```')
      await page.goto(`/threads/${id}`)
      await page.getByRole('button', { name: 'Run scripts' }).click()
      await page.getByRole('button', { name: 'Reload' }).waitFor({ timeout: 10_000 })
      await page.waitForTimeout(1_000)
      await page.getByRole('button', { name: 'Stop' }).click({ timeout: 10_000 })
      await page.getByRole('button', { name: 'Run scripts' }).waitFor({ timeout: 10_000 })
    } finally {
      await browser.close()
    }
  })
})
