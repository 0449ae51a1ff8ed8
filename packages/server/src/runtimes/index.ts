export { buildFileOnce } from './build-once.ts'
export { IsolateRuntime } from './isolate/isolate-runtime.ts'
export { importedPackages } from './isolate/imported-packages.ts'
export { TypeChecker } from './isolate/typecheck/check-types.ts'
export { createLauncher, type Launcher } from './launch/index.ts'
export { allowedPackage } from './packages/allow-list.ts'
export { BundleStore } from './packages/bundle-store.ts'
export { SetBundles } from './packages/set-bundles.ts'
export {
  type BasePython,
  createProcessRuntime,
  findBasePython,
  findUv,
  importsDataStack,
  memoryMbOf,
} from './process/index.ts'
export { encodeFrame, FrameSplitter } from './protocol/index.ts'
export {
  longestInstallRequest,
  readInstallRequest,
  type InstallAnswer,
  type InstallRequest,
} from './protocol/install-messages.ts'
export { createRouter, type Choice, type Router } from './router.ts'
export type { FixedWorld, KeptProgram, Limits, Outcome, ProducedFile, Program, Runtime, Sign } from './runtime.ts'
export type {
  CellOutcome,
  FileChange,
  Installer,
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
export type { PackageSet } from './package-set.ts'
