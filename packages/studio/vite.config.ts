import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { contractRoutes } from './contract-routes.ts'

// Few chunks instead of one per icon. A component built on Base UI stays out of `ui`: it would pull Base UI into the first
// load, and measure-size.mjs would say so.
const onBaseUi =
  /(alert-dialog|checkbox|code|dialog|icon-button|menu|meter|reason|segmented|select|switch|tabs|toaster|tooltip)\.tsx$/
const chunks = [
  { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\// },
  // what a single page uses comes with that page
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
  // a noun of few pages comes with them, as does what follows a turn or a run
  {
    name: 'data',
    test: /studio\/src\/(data\/(?!(skill|execution|sandbox|template|variable|trigger|delivery|file|version|proposal)\.ts|(thread|run)\/watch-)|words\/)|packages\/contract\/src\/(?!follow\/(?!backoff)|wire\/(read-events|body-chunks)|runs\/read-run-events|words\/size)|virtual:contract-routes/,
  },
  // ui/list comes with the pages that show lists
  { name: 'ui', test: (id: string) => /studio\/src\/ui\/[^/]*\.tsx?$/.test(id) && !onBaseUi.test(id) },
]

/** Fonts of formulas in the one form that every browser of today reads. */
const onlyWoff2: Plugin = {
  name: 'only-woff2',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/katex.min.css')) return undefined
    return code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
  },
}

export default defineConfig(({ mode }) => {
  const { PORT = '4310' } = loadEnv(mode, import.meta.dirname, 'PORT')
  const server = `http://127.0.0.1:${PORT}`
  return {
    plugins: [contractRoutes(), react(), tailwind(), onlyWoff2],
    build: {
      manifest: true,
      target: 'es2023',
      // no data: URLs and no inline script: the page's CSP allows neither
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } },
      },
    },
    server: {
      port: 4311,
      // the host stays as the browser said it: the server compares it with the page's origin
      proxy: {
        '/api': { target: server, changeOrigin: false },
        '/healthz': { target: server, changeOrigin: false },
        '/events': { target: server, changeOrigin: false, ws: true },
      },
    },
  }
})
