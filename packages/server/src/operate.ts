import { quickenStart } from './quicken-start.ts'

quickenStart()
await import('./operate-command.ts')
