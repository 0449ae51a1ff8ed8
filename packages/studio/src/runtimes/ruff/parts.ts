import wasm from '@astral-sh/ruff-wasm-web/ruff_wasm_bg.wasm?url'
import type { RuntimeParts } from '../browser-session.ts'
import worker from './ruff-worker.ts?worker&url'

export const parts: RuntimeParts = { worker, assets: { 'ruff.wasm': wasm }, bytes: 11_100_000, timeoutMs: 10_000 }
