import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../requests/request-context.ts'
import { mountStudio } from './studio-files.ts'

let root: string
const app = new Hono<Env>()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'coherex-studio-'))
  await mkdir(join(root, 'dist/assets'), { recursive: true })
  await writeFile(join(root, 'secret.txt'), 'CANARY of the host')
  await mkdir(join(root, 'dist-of-another'))
  await writeFile(join(root, 'dist-of-another/secret.txt'), 'CANARY of a neighbour')
  await writeFile(join(root, 'dist/index.html'), '<!doctype html><title>Coherex</title>')
  await writeFile(join(root, 'dist/assets/app-1234.js'), `export const a = '${'x'.repeat(3000)}'`)
  mountStudio(app, join(root, 'dist'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const page = { accept: 'text/html' }

test('a page of the app is index.html, asked for again each time', async () => {
  const answer = await app.request('/settings/members', { headers: page })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(await answer.text()).toContain('<title>Coherex</title>')
})

test('a file of the build is kept by the browser, and comes compressed', async () => {
  const answer = await app.request('/assets/app-1234.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('cache-control')).toContain('immutable')
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

test('mountStudio sends what the build compressed to those who take brotli', async () => {
  const text = `export const b = '${'y'.repeat(3000)}'`
  await writeFile(join(root, 'dist/assets/first-1234.js'), text)
  const compressed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 10 } })
  await writeFile(join(root, 'dist/assets/first-1234.js.br'), compressed)
  const answer = await app.request('/assets/first-1234.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect([answer.headers.get('content-encoding'), answer.headers.get('content-type')]).toEqual([
    'br',
    'text/javascript; charset=utf-8',
  ])
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(compressed)
  expect(await (await app.request('/assets/first-1234.js')).text()).toBe(text)
})

test('a file that is not there is no page', async () => {
  expect((await app.request('/assets/gone.js', { headers: page })).status).toBe(404)
  expect((await app.request('/anything')).status).toBe(404)
})

test('notes of the build itself are not shown', async () => {
  await mkdir(join(root, 'dist/.vite'))
  await writeFile(join(root, 'dist/.vite/manifest.json'), '{}')
  await writeFile(join(root, 'dist/.sources'), 'hash')
  for (const path of ['/.vite/manifest.json', '/.sources', '/assets/..%2f.sources'])
    expect([path, (await app.request(path)).status]).toEqual([path, 404])
})

test('a file that is there and cannot be read is no page, and no end of the server', async () => {
  await writeFile(join(root, 'dist/assets/endless.js'), '')
  await truncate(join(root, 'dist/assets/endless.js'), 2 ** 40)
  expect((await app.request('/assets/endless.js', { headers: page })).status).toBe(404)
})

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/%252e%252e%252fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/..%5csecret.txt',
  '/..%2fdist-of-another/secret.txt',
  '//etc/passwd',
  '/%2fetc%2fpasswd',
  '/assets/app-1234.js%00.txt',
  '/%E0%A4%A',
  '/file:%2f%2f%2fetc/passwd',
  `/${'a'.repeat(4096)}`,
])('nothing outside the build is read by %s', async (path) => {
  const answer = await app.request(path, { headers: page })
  const text = await answer.text()
  expect(text).not.toMatch(/CANARY|root:/)
  expect(answer.status === 404 || text.includes('<title>Coherex</title>')).toBe(true)
})
