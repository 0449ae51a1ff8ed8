export { createLauncher, type LauncherOptions } from './create-launcher.ts'
export type { Ending, Launched, Launcher, LaunchSpec } from './launcher.ts'
