// What a browser fetches before the shell works: what index.html loads, plus the shell and the home page.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

export const budgetKb = 150
const firstPages = ['src/shell/shell.tsx', 'src/pages/home/home-page.tsx']

/** Each file of the first load with its gzipped size, from the manifest of a build. */
export function measureFirstLoad(dist) {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
  const files = new Set(['theme.js'])
  for (const entry of ['index.html', ...firstPages]) collect(entry)
  return [...files].map((file) => ({ file, bytes: gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length }))

  function collect(name) {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is not in the build: measure-size.mjs must name the pages that load first`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = measureFirstLoad(new URL('../dist/', import.meta.url))
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { file, bytes } of files) console.log(`${(bytes / 1024).toFixed(1).padStart(6)} KB  ${file}`)
  console.log(`First load of the shell: ${(total / 1024).toFixed(1)} of ${budgetKb} KB of JavaScript, gzipped`)
  if (total > budgetKb * 1024) process.exit(1)
}
