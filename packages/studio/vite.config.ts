import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { contractRoutes } from './contract-routes.ts'

const baseUiUse = new Map<string, boolean>()

/** Whether a component is built on Base UI, itself or through others. */
function isOnBaseUi(file: string): boolean {
  const known = baseUiUse.get(file)
  if (known !== undefined) return known
  // a circle is not built on it because of itself
  baseUiUse.set(file, false)
  const imported = [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name = '']) => name)
  const isBuilt = imported.some(
    (name) => name.startsWith('@base-ui/') || (name.startsWith('.') && isOnBaseUi(join(dirname(file), name))),
  )
  baseUiUse.set(file, isBuilt)
  return isBuilt
}

const source = (path: string) => join(import.meta.dirname, 'src', path)
const importsOf = (file: string) => [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+\.tsx?)'/g)]

/** ui/list and ui/form come with the pages that show them. */
const isInUi = (id: string) => /studio\/src\/ui\/(?!(form|list)\/).*(?<!\.test)\.tsx?$/.test(id) && !isOnBaseUi(id)

/** Files that are there before a page works: the shell, the first page, a conversation, what they import, and all of `ui`. */
function filesOfFirstLoad(): Set<string> {
  const entries = ['main.tsx', 'shell/shell.tsx', 'pages/home/home-page.tsx', 'pages/chat/thread-page.tsx'].map(source)
  const found = new Set([
    ...entries,
    ...readdirSync(source('ui'), { recursive: true, encoding: 'utf8' })
      .filter((path) => isInUi(source(join('ui', path))))
      .map((path) => source(join('ui', path))),
  ])
  // a set hands out what is added while it is walked
  for (const file of found) for (const [, name = ''] of importsOf(file)) found.add(join(dirname(file), name))
  return found
}

const lucide = dirname(fileURLToPath(import.meta.resolve('lucide-react/package.json')))
const iconIndex = readFileSync(join(lucide, 'dist/esm/lucide-react.mjs'), 'utf8')
/** The file of an icon by each of its names. */
const iconFiles = new Map(
  [...iconIndex.matchAll(/export \{([^}]+)\} from '\.\/icons\/([^']+)'/g)].flatMap(([, names = '', file = '']) =>
    [...names.matchAll(/as (\w+)/g)].map(([, name = '']): [string, string] => [name, file]),
  ),
)
const firstIcons = new Set(
  [...filesOfFirstLoad()]
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/import \{([^}]+)\} from 'lucide-react'/g)])
    .flatMap(([, names = '']) => names.split(',').map((name) => iconFiles.get(name.trim()))),
)

// Few chunks instead of one per icon. A component built on Base UI stays out of `ui`: it would pull Base UI into the first
// load.
const chunks = [
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!react-virtual|virtual-core)[^/]+)\//,
  },
  // what a single page uses comes with that page
  {
    name: 'icons',
    test: (id: string) =>
      /node_modules\/lucide-react\//.test(id) && (!/\/icons\/[^/]+$/.test(id) || firstIcons.has(basename(id))),
    minShareCount: 2,
  },
  { name: 'more-icons', test: /node_modules\/lucide-react\/.*\/icons\//, minShareCount: 2 },
  // a noun of few pages comes with them, as do what follows a turn or a run and the schemas of the contract
  {
    name: 'data',
    test: /studio\/src\/(data\/(?!((access|library)\/)?(skill|tool|tool-call|key|mcp|quota|secret|session|password|mcp-server|execution|sandbox|template|variable|trigger|delivery|file|version|proposal|attachment|audit|cell|invitation|package|search|artifact|share)\.ts|(thread|run)\/watch-|run\/run-route)|words\/)|packages\/contract\/src\/(access|wire|words|follow\/backoff)(?!\/(read-events|body-chunks|json-value|named-record|size))|virtual:contract-routes/,
  },
  { name: 'ui', test: isInUi },
]

/** Chunks of every page, as small as they get: a tenth less than what the server makes of a file while somebody waits. */
const smallestFirst: Plugin = {
  name: 'smallest-first',
  apply: 'build',
  // as they were written: the last plugins change them late
  writeBundle({ dir = '' }, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !(file.isEntry || chunks.some(({ name }) => name === file.name))) continue
      const path = join(dir, file.fileName)
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
    }
  },
}

/** Fonts of formulas in the one form that every browser of today reads. */
const onlyWoff2: Plugin = {
  name: 'only-woff2',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/katex.min.css')) return undefined
    return code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
  },
}

/** Scripts of others that are served as they came name maps that are not served. */
const noSourceMaps: Plugin = {
  name: 'no-source-maps',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.js')) continue
      const text = typeof file.source === 'string' ? file.source : Buffer.from(file.source).toString('utf8')
      file.source = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
    }
  },
}

export default defineConfig(({ mode }) => {
  const { PORT = '4310' } = loadEnv(mode, import.meta.dirname, 'PORT')
  const server = `http://127.0.0.1:${PORT}`
  return {
    resolve: {
      alias: {
        // it exports its program for pages alone, and the frames of runtimes have none
        'webr-files': dirname(fileURLToPath(import.meta.resolve('webr'))),
        // R in the browser evaluates, prints and looks at variables as R on the server does
        'guest-r': join(import.meta.dirname, '../server/src/runtimes/process/guest/r'),
      },
    },
    plugins: [contractRoutes(), react(), tailwind(), onlyWoff2, noSourceMaps, smallestFirst],
    build: {
      manifest: true,
      target: 'es2023',
      // no data: URLs and no inline script: the page's CSP allows neither
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // a page of a share has no session: it is built apart from the studio
        input: ['index.html', 'shared.html'].map((page) => join(import.meta.dirname, page)),
        output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } },
      },
    },
    server: {
      port: 4311,
      // the host stays as the browser said it: the server compares it with the page's origin
      proxy: {
        '/api': { target: server, changeOrigin: false },
        '/runtimes': { target: server, changeOrigin: false },
        '/healthz': { target: server, changeOrigin: false },
        '/events': { target: server, changeOrigin: false, ws: true },
      },
    },
  }
})
