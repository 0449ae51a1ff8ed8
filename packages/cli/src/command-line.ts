import { readSettings } from './config.ts'
import { requireProject } from './find-project.ts'
import { createInterruption } from './interruption.ts'
import { launchOperator } from './launch.ts'
import { runProgram } from './program.ts'
import { createTerminal } from './terminal.ts'

const interruption = createInterruption()
let isReaderGone = false

// a reader that has seen enough, such as head, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(1)
  isReaderGone = true
  if (!interruption.tell()) process.exit(0)
})

const settings = readSettings()
const exitCode = await runProgram(process.argv.slice(2), {
  settings,
  terminal: createTerminal({ input: process.stdin, output: process.stdout, error: process.stderr }, settings.color),
  onInterrupt: interruption.listen,
  operate: async (args) => launchOperator(requireProject(settings), args, settings.environment),
})
process.exitCode = isReaderGone ? 0 : exitCode
