import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))

// Type stripping stops at node_modules, so what is installed from a tarball is one plain file with everything in it.
await build({
  root: here,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    outDir: 'dist',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'coherex.mjs', codeSplitting: false } },
  },
})
