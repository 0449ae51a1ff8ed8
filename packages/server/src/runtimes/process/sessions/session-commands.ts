import type { Language } from '@coherex/contract'
import type { SandboxLimits } from '../../sandbox.ts'
import { systemPython } from '../languages/base-python.ts'

const python = [systemPython, '-I', '-B', '-X', 'utf8']
const session = '/opt/coherex/session'
const node = ['/bin/sh', `${session}/node/start.sh`]

/**
 * How the session of a language is started inside a sandbox: a process that speaks `session-messages.ts` on descriptor 3, begins in the
 * home directory, and is interrupted by SIGINT.
 */
export const sessionCommands: Partial<Record<Language, readonly string[]>> = {
  python: [...python, `${session}/python/driver.py`],
  bash: [...python, `${session}/bash/driver.py`],
  javascript: node,
  typescript: node,
  node,
  sql: [
    '/usr/bin/env',
    'COHEREX_FD=3',
    '/opt/node/bin/node',
    '--no-warnings',
    '--expose-gc',
    '/opt/coherex/sql/session.cjs',
  ],
  r: [...python, '/opt/coherex/r/session.py'],
}

/** The command of a language's session. A database plans with what it may use, so it is told. `interpreter` is what runs Python. */
export function sessionCommand(
  language: Language,
  { memoryMb, diskMb }: Pick<SandboxLimits, 'memoryMb' | 'diskMb'>,
  interpreter: string = systemPython,
): readonly string[] | undefined {
  const command = sessionCommands[language]
  if (command && language === 'python') return [interpreter, ...command.slice(1)]
  if (!command || language !== 'sql') return command
  return ['/usr/bin/env', `COHEREX_MEMORY_MB=${memoryMb}`, `COHEREX_DISK_MB=${diskMb}`, ...command]
}
