import { readSettings } from './config.ts'
import { requireProject } from './find-project.ts'
import { launchOperator } from './launch.ts'
import { runProgram } from './program.ts'
import { createTerminal } from './terminal.ts'

// a reader that has seen enough, such as head, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

const settings = readSettings()
process.exitCode = await runProgram(process.argv.slice(2), {
  settings,
  terminal: createTerminal({ input: process.stdin, output: process.stdout, error: process.stderr }, settings.color),
  operate: async (args) => launchOperator(requireProject(settings), args, settings.environment),
})
