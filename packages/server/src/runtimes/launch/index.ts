export { createLauncher, type LauncherOptions } from './create-launcher.ts'
export type { Ending, Launched, Launcher, LaunchSpec } from './launcher.ts'
export type { ForkOptions, Zygote, ZygoteSpec } from './zygote/index.ts'
