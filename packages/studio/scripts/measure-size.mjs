// Fails when the first load of the shell is over its budget: what index.html loads, plus the shell and the home page.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const budgetKb = 150
const firstPages = ['src/shell/shell.tsx', 'src/pages/home/home-page.tsx']
const dist = new URL('../dist/', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const files = new Set()
for (const entry of ['index.html', ...firstPages]) collect(entry)

let total = gzipSync(readFileSync(new URL('theme.js', dist)), { level: 9 }).length
const lines = [...files].map((file) => {
  const size = gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length
  total += size
  return `  ${kb(size).padStart(6)} KB  ${file}`
})
console.log(`First load of the shell: ${kb(total)} of ${budgetKb} KB of JavaScript, gzipped`)
console.log(lines.join('\n'))
if (total > budgetKb * 1024) {
  console.error(`The first load is over its budget: load something later, or without a library`)
  process.exit(1)
}

function collect(name) {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`${name} is not in the build: measure-size.mjs must name the pages that load first`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) collect(imported)
}

function kb(bytes) {
  return (bytes / 1024).toFixed(1)
}
