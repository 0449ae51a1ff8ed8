// What a browser fetches before a page works: what index.html loads, plus the shell and the page itself.
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const shell = 'src/shell/shell.tsx'

/** Pages that people wait for, and the JavaScript each may take. */
export const budgets = [
  { name: 'the shell', kb: 150, pages: [shell, 'src/pages/home/home-page.tsx'] },
  // the editor and the live document come after it
  { name: 'a workspace', kb: 250, pages: [shell, 'src/pages/workspaces/workspace-page.tsx'] },
  { name: 'a conversation', kb: 250, pages: [shell, 'src/pages/chat/thread-page.tsx'] },
]

/** The size as the server sends it: studio-files.ts. */
function sentBytes(file) {
  const compressed = new URL(`${file.href}.br`)
  if (existsSync(compressed)) return readFileSync(compressed).length
  return brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).length
}

/** Each file of the first load with its compressed size, from the manifest of a build. */
export function measureFirstLoad(dist, pages) {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
  const files = new Set(['theme.js'])
  for (const entry of ['index.html', ...pages]) collect(entry)
  return [...files].map((file) => ({ file, bytes: sentBytes(new URL(file, dist)) }))

  function collect(name) {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is not in the build: measure-size.mjs must name the pages that load first`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, kb, pages } of budgets) {
    const files = measureFirstLoad(new URL('../dist/', import.meta.url), pages)
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { file, bytes } of files) console.log(`${(bytes / 1024).toFixed(1).padStart(6)} KB  ${file}`)
    console.log(`First load of ${name}: ${(total / 1024).toFixed(1)} of ${kb} KB of JavaScript, as brotli\n`)
    if (total > kb * 1024) process.exitCode = 1
  }
}
