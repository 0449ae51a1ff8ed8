import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const real = join(import.meta.dirname, '..')

/** A project of the same shape as ours with a small studio, for the real scripts to work on. */
export function makeSmallProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'coherex-small-'))
  // closed folders are another test's business
  chmodSync(project, 0o755)
  mkdirSync(join(project, 'scripts/testing'), { recursive: true })
  const scripts = readdirSync(join(real, 'scripts'), { recursive: true, encoding: 'utf8' })
  for (const name of scripts.filter((one) => one.endsWith('.mjs'))) {
    cpSync(join(real, 'scripts', name), join(project, 'scripts', name))
  }
  writeInto(project, 'package.json', '{ "name": "small", "version": "1.0.0", "type": "module" }')
  writeInto(
    project,
    'package-lock.json',
    '{ "name": "small", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "small", "version": "1.0.0" } } }',
  )
  writeInto(project, 'packages/studio/index.html', '<script type="module" src="./main.ts"></script>')
  writeInto(project, 'packages/studio/main.ts', 'console.log(1)')
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'))
  for (const name of ['vite', 'vitest'])
    symlinkSync(join(real, 'node_modules', name), join(project, 'node_modules', name))
  writeInto(project, 'node_modules/.package-lock.json', '{ "packages": {} }') // as npm leaves it
  return project
}

export function writeInto(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}
