import module from 'node:module'
import { fileURLToPath } from 'node:url'

// the next command parses and compiles nothing again. Kept beside the code, with its owner: what lies in a folder that others
// can write is not run. Node 20 has no such cache
module.enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))

await import('./command-line.ts')
