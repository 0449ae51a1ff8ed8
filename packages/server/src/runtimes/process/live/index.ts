export { createLiveSandboxes, type LiveSandboxes } from './live-sandboxes.ts'
export type { LiveSandbox } from './open-sandbox.ts'
