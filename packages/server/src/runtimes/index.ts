export { IsolateRuntime } from './isolate/isolate-runtime.ts'
export { TypeChecker } from './isolate/typecheck/check-types.ts'
export { createLauncher, type Launcher } from './launch/index.ts'
export { BundleStore } from './packages/bundle-store.ts'
export { createProcessRuntime, importsDataStack, memoryMbOf } from './process/index.ts'
export { createRouter, type Choice, type Router } from './router.ts'
export type { FixedWorld, Limits, Outcome, ProducedFile, Program, Runtime, Sign } from './runtime.ts'
export type {
  CellOutcome,
  FileChange,
  ProcessSpec,
  Sandbox,
  SandboxEnding,
  SandboxFile,
  SandboxLimits,
  SandboxNetwork,
  SandboxProcess,
  SandboxSpec,
} from './sandbox.ts'
export { createWasmRuntime, findEngine } from './wasm/index.ts'
