import type { RuntimeParts } from '../browser-session.ts'
import worker from './javascript-worker.ts?worker&url'

export const parts: RuntimeParts = { worker, assets: {}, bytes: 450_000, timeoutMs: 10_000 }
