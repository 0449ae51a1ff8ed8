import { once } from 'node:events'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { hasChromium, launchChromium, openWindow } from '../harness/chromium.ts'
import { startTestServer, type Browser, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson
let id: string

/** A page, its script, an API, a WebSocket that echoes, and everything a guest should not get away with. */
const guestServer = String.raw`
import http from 'node:http'
import { createHash } from 'node:crypto'
const page = '<!doctype html><title>guest</title><script src="/app.js"></script><script type="module" src="module.js"></script>' +
  '<p id=cookie></p><p id=own></p><p id=api></p><p id=socket></p>'
http.createServer((request, response) => {
  response.setHeader('set-cookie', 'coherex.session_token=stolen; path=/')
  response.setHeader('service-worker-allowed', '/')
  if (request.url === '/') return response.setHeader('content-type', 'text/html').end(page)
  if (request.url === '/app.js') return response.end('window.loaded = true')
  if (request.url === '/module.js') return response.setHeader('content-type', 'text/javascript').end([
    'const put = (id, text) => (document.getElementById(id).textContent = text)',
    'try { put("cookie", "cookie:" + document.cookie) } catch { put("cookie", "no cookies") }',
    'put("own", (await (await fetch("own-api", { method: "POST", body: "x" })).text()))',
    'put("api", await fetch("/api/v1/me").then((answer) => answer.text(), () => "refused"))',
    'const socket = new WebSocket(location.href.replace("http", "ws") + "socket")',
    'socket.onmessage = ({ data }) => put("socket", data)',
    'socket.onopen = () => socket.send("ping")',
  ].join('\n'))
  if (request.url === '/moved') return response.writeHead(302, { location: 'http://localhost:8000/elsewhere' }).end()
  if (request.url === '/headers') return response.end(JSON.stringify(request.headers))
  response.end('guest answers ' + request.method + ' ' + request.url)
}).on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSet-Cookie: a=stolen\r\nSec-WebSocket-Accept: ' + accept + '\r\n\r\n')
  socket.on('data', (frame) => {
    if ((frame[0] & 15) === 8) return socket.end()
    const mask = frame.subarray(2, 6)
    const text = Buffer.from(frame.subarray(6).map((byte, at) => byte ^ mask[at % 4]))
    socket.write(Buffer.concat([Buffer.of(129, text.length + 6), Buffer.from('guest '), text]))
  })
  socket.on('error', () => {})
}).listen(8000, '127.0.0.1', () => console.log('listening'))
`

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  id = (await owner.call(routes.sandboxes.create, { body: {} })).id
  await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'server.mjs' }, body: guestServer })
  const process = await owner.call(routes.sandboxes.startProcess, {
    params: { id },
    body: { command: 'node server.mjs' },
  })
  const of = { params: { id, pid: process.pid } }
  const isListening = async () =>
    JSON.stringify(await owner.call(routes.sandboxes.getProcess, of)).includes('listening')
  await vi.waitUntil(isListening, { timeout: 60_000 })
})
afterAll(() => server.stop())

const preview = async (port = 8000) => (await owner.call(routes.sandboxes.preview, { params: { id, port } })).url
const share = async () =>
  (await owner.call(routes.sandboxes.sharePreview, { params: { id, port: 8000 }, body: {} })).url

describe('HTTP', () => {
  test('members see the page; a guest’s answer sets nothing on our origin', async () => {
    const answer = await owner.fetch(await preview())
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<title>guest</title>')
    const { headers } = answer
    expect(headers.getSetCookie()).toEqual([])
    expect(headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts(?!.*allow-same-origin)/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('service-worker-allowed')).toBeNull()
  })

  test('a guest hears neither cookie nor key, and its redirects stay with it', async () => {
    const url = await preview()
    const heard = (await (
      await owner.fetch(`${url}headers`, { headers: { 'x-forwarded-for': '10.0.0.1', 'x-own': 'kept' } })
    ).json()) as Record<string, string>
    expect(Object.keys(heard)).not.toEqual(expect.arrayContaining(['cookie']))
    expect([heard['cookie'], heard['authorization'], heard['x-forwarded-for'], heard['x-own']]).toEqual([
      undefined,
      undefined,
      undefined,
      'kept',
    ])
    const moved = await owner.fetch(`${url}moved`)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, `${new URL(url).pathname}elsewhere`])
    const post = await owner.fetch(`${url}form`, { method: 'POST', body: 'x'.repeat(1_000_000) })
    expect(await post.text()).toBe('guest answers POST /form')
  })

  test('a cookie changes something only with our own origin', async () => {
    const url = `${await preview()}form`
    const post = async (headers: Record<string, string>) => (await fetch(url, { method: 'POST', headers })).status
    const cookie = owner.cookie()
    expect(await post({ cookie })).toBe(403)
    expect(await post({ cookie, origin: 'null' })).toBe(403)
    expect(await post({ cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await post(owner.socketHeaders())).toBe(200)
  })

  test('only members, unless it is shared; a shared one can be taken back', async () => {
    const url = await preview()
    const stranger = await server.invite(owner, 'editor')
    const team = await stranger.call(routes.teams.create, { body: { name: 'Others' } })
    await stranger.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
    const status = async (who: Browser, address: string) => (await who.fetch(address)).status
    const nobody = server.browser()
    expect([await status(nobody, url), await status(stranger, url)]).toEqual([401, 404])
    const tampered = url.replace(/\/preview\/(.)/, (_, first: string) => `/preview/${first === 'a' ? 'b' : 'a'}`)
    expect(await status(owner, tampered)).toBe(404)

    const shared = await share()
    expect([await status(nobody, shared), await status(stranger, shared)]).toEqual([200, 200])
    await owner.call(routes.sandboxes.unsharePreviews, { params: { id } })
    expect(await status(nobody, shared)).toBe(404)
    expect(await status(nobody, await share())).toBe(200)
    const { items } = await owner.call(routes.audit.list, { query: { action: 'sandbox.share' } })
    expect(items[0]).toMatchObject({ details: { port: 8000 }, target: { id } })
  })

  test('pages of ours load nothing of it, and service workers are refused', async () => {
    const url = await share()
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'serviceworker', 'service-worker': 'script' },
    ]) {
      expect((await fetch(`${url}app.js`, { headers })).status).toBe(403)
    }
    expect((await fetch(url, { headers: { host: 'evil.example' } })).status).toBe(200) // fetch sets the host itself
  })

  test('a port that nothing listens on says so', async () => {
    const answer = await owner.fetch(await preview(8001))
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('port 8001')])
  })
})

describe('WebSocket', () => {
  const connect = (url: string, headers: Record<string, string> = {}) =>
    new WebSocket(`${url.replace('http', 'ws')}socket`, { headers })

  test('messages pass both ways, and the handshake carries nothing else', async () => {
    const socket = connect(await preview(), owner.socketHeaders())
    const upgraded = once(socket, 'upgrade') as Promise<[{ headers: Record<string, string> }]>
    await once(socket, 'open')
    expect((await upgraded)[0].headers['set-cookie']).toBeUndefined()
    socket.send('hello')
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(data.toString()).toBe('guest hello')
    socket.close()
  })

  test('is refused to nobody and to other sites, and ends when the share is taken back', async () => {
    for (const [url, headers] of [
      [await preview(), {}],
      [await preview(), { cookie: owner.cookie() }],
      [await preview(), { ...owner.socketHeaders(), origin: 'null' }],
      [await share(), { origin: 'https://evil.example' }],
    ] as const) {
      const socket = connect(url, headers)
      socket.on('error', () => undefined)
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      expect([401, 403]).toContain(response.statusCode)
    }
    const open = connect(await share())
    await once(open, 'open')
    const closed = once(open, 'close')
    await owner.call(routes.sandboxes.unsharePreviews, { params: { id } })
    await closed
  })
})

test.skipIf(!hasChromium)(
  'a browser shows the page with its script, API and WebSocket, and it acts for nobody',
  async () => {
    const chromium = await launchChromium()
    try {
      const page = await openWindow(chromium, server.url)
      await page.goto('/sign-in')
      await page.context().addCookies(
        owner
          .cookie()
          .split('; ')
          .map((one) => ({ name: one.split('=')[0] ?? '', value: one.slice(one.indexOf('=') + 1), url: server.url })),
      )
      await page.goto(await preview())
      await expect.poll(() => page.textContent('#socket'), { timeout: 15_000 }).toBe('guest ping')
      expect(await page.evaluate(() => (globalThis as { loaded?: boolean }).loaded)).toBe(true)
      expect(await page.textContent('#own')).toBe('guest answers POST /own-api')
      expect(await page.textContent('#cookie')).toBe('no cookies')
      expect(await page.textContent('#api')).toBe('refused')
      expect(await page.evaluate('origin')).toBe('null')
      expect((await page.context().cookies()).filter(({ value }) => value.includes('stolen'))).toEqual([])
    } finally {
      await chromium.close()
    }
  },
)
