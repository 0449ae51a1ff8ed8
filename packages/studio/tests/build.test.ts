import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgets, measureFirstLoad } from '../scripts/measure-size.mjs'

const studio = fileURLToPath(new URL('..', import.meta.url))
const canary = 'CANARY-of-the-machine-that-builds'
// what an operator has set where the studio is built; the first is a name that Vite gives to pages which ask for it
const secrets = ['VITE_TOKEN', 'DATABASE_URL', 'COHEREX_TOKEN', 'ANTHROPIC_API_KEY']
let dist: string

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'coherex-studio-'))
  const vite = fileURLToPath(new URL('../../bin/vite.js', import.meta.resolve('vite')))
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', dist, '--emptyOutDir'], {
    cwd: studio,
    env: { ...process.env, ...Object.fromEntries(secrets.map((name) => [name, canary])), NODE_ENV: 'production' },
  })
}, 300_000)
afterAll(() => rm(dist, { recursive: true, force: true }))

test.each(budgets)('the first load of $name stays within its budget of JavaScript', ({ kb, pages }) => {
  const bytes = measureFirstLoad(pathToFileURL(`${dist}/`), pages).reduce((sum, file) => sum + file.bytes, 0)
  expect(bytes).toBeLessThanOrEqual(kb * 1024)
})

test('[S05] nothing of the machine that built it is in any file', async () => {
  const project = fileURLToPath(new URL('../../..', import.meta.url))
  const entries = await readdir(dist, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  expect(paths.length).toBeGreaterThan(50)
  for (const path of paths) {
    const bytes = await readFile(path)
    expect([path, bytes.includes(canary), bytes.includes(project)]).toEqual([path, false, false])
  }
  expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
})

test('the page works under a CSP without inline scripts, eval or other origins', async () => {
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  expect([...page.matchAll(/<script(?![^>]* src="\/)/g)]).toEqual([])
  expect([...page.matchAll(/(?:src|href)="(?!\/)[^"]*"/g)]).toEqual([])

  const names = await readdir(join(dist, 'assets'))
  // the compiler inside one worker knows the word, and the CSP holds in workers too; others are for frames that have a CSP of their own
  const scripts = names.filter((name) =>
    /(?<!^(?:ts\.worker|javascript-worker|r-worker|webr-worker|R|react-page|vega-page|plotly\.min)-[^.]+)\.js$/.test(
      name,
    ),
  )
  const styles = names.filter((name) => name.endsWith('.css'))
  expect(scripts.length).toBeGreaterThan(10)
  for (const name of scripts) {
    expect(await readFile(join(dist, 'assets', name), 'utf8'), name).not.toMatch(/\bnew Function\(|(?<![.\w])eval\(/)
  }
  for (const name of styles) {
    expect(await readFile(join(dist, 'assets', name), 'utf8'), name).not.toMatch(
      // the CSP allows images as data, which the editor's marks are
      /url\((?!["']?(?:\/assets\/|data:image\/))/,
    )
  }
})
