import blas from 'webr-files/libRblas.so?url'
import lapack from 'webr-files/libRlapack.so?url'
import script from 'webr-files/R.js?url'
import wasm from 'webr-files/R.wasm?url'
import machine from 'webr-files/webr-worker.js?url'
import type { RuntimeParts } from '../browser-session.ts'
import worker from './r-worker.ts?worker&url'

export const parts: RuntimeParts = {
  worker,
  // its help, fonts and translations stay where they are: they are larger than R itself
  assets: { 'webr-worker.js': machine, 'R.js': script, 'R.wasm': wasm, 'libRblas.so': blas, 'libRlapack.so': lapack },
  bytes: 21_000_000,
  timeoutMs: 60_000,
}
