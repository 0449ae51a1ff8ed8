import lock from 'pyodide/pyodide-lock.json?url'
import module from 'pyodide/pyodide.asm.mjs?url'
import wasm from 'pyodide/pyodide.asm.wasm?url'
import library from 'pyodide/python_stdlib.zip?url'
import type { RuntimeParts } from '../browser-session.ts'
import { findPackages } from './find-packages.ts'
import worker from './python-worker.ts?worker&url'

export const parts: RuntimeParts = {
  worker,
  assets: {
    'pyodide.asm.mjs': module,
    'pyodide.asm.wasm': wasm,
    'python_stdlib.zip': library,
    'pyodide-lock.json': lock,
  },
  bytes: 13_500_000,
  timeoutMs: 60_000,
  isInterruptible: true,
  findPackages,
}
