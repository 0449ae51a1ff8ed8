import { readFileSync } from 'node:fs'
import { lastWords, run, say } from './step.mjs'

/** PostgreSQL refuses to run as root; when root starts Coherex, its database belongs to this user. */
const user = 'coherex'

export async function makeSystemUser() {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return
  if (readFileSync('/etc/passwd', 'utf8').includes(`\n${user}:`)) return
  const { code, output } = await run([
    'useradd',
    '--system',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    user,
  ])
  if (code === 0) say('ok', `Made the system user ${user}, who owns the database`)
  else say('warn', `Cannot make the system user ${user}, so the database runs as nobody: ${lastWords(output)}`)
}
