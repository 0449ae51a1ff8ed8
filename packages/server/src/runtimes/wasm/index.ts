export { findEngine } from './engines.ts'
export { createWasmRuntime } from './wasm-runtime.ts'
