#!/usr/bin/env node
// In the repository the sources run, on the Node that npm brought; in the installed package the built file runs.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const source = at('../src/main.ts')
const built = at('../dist/coherex.mjs')

if (!existsSync(source)) {
  await import(pathToFileURL(built).href)
} else if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(pathToFileURL(source).href)
} else {
  const node = at('../../../node_modules/.bin/node')
  if (!existsSync(node)) {
    console.error('coherex: run npm ci in the project folder first; this Node cannot run TypeScript sources')
    process.exit(1)
  }
  const child = spawn(node, [source, ...process.argv.slice(2)], { stdio: 'inherit' })
  // a terminal sends Ctrl-C to both; what is sent to us alone is passed on. The child has the last word
  process.on('SIGINT', () => void (hasTerminal() || child.kill('SIGINT')))
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(/** @type {NodeJS.Signals} */ (name)))
  child.once('exit', (code) => (process.exitCode = code ?? 1))
}

function hasTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
