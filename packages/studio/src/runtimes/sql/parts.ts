import wasm from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url'
import type { RuntimeParts } from '../browser-session.ts'
import worker from './sql-worker.ts?worker&url'

export const parts: RuntimeParts = {
  worker,
  assets: { 'sqlite3.wasm': wasm },
  bytes: 1_300_000,
  timeoutMs: 30_000,
  isInterruptible: true,
}
