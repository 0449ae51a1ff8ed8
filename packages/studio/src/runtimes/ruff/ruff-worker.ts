import { initSync, PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-web'
import type { Outcome } from '../runtime-messages.ts'
import { serveRuntime } from '../serve-runtime.ts'

let ruff: Workspace

// WebAssembly is compiled in a frame alone: the policy of the page forbids it
serveRuntime({
  load(assets) {
    initSync({ module: assets['ruff.wasm'] as ArrayBuffer })
    ruff = new Workspace(Workspace.defaultSettings(), PositionEncoding.Utf16)
  },
  async run({ code }): Promise<Outcome> {
    try {
      return { status: 'succeeded', result: ruff.format(code) }
    } catch (error) {
      return { status: 'failed', error: { kind: 'syntax', message: String(error) } }
    }
  },
})
