import type { Language } from '@coherex/contract'

const python = ['/usr/bin/python3', '-I', '-B', '-X', 'utf8']
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
