import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { CoherexError, formatBytes } from '@coherex/contract'
import { createLog, StartError } from './base/index.ts'
import { readProcessConfig } from './config.ts'
import { createBackup, moveBlobs, resetUser, restoreBackup, rotateSecrets } from './operate/index.ts'

const usage = `Usage: operate <command> [--json]

  backup create FILE [--with-key]   a whole copy of the store, while the server runs or not
  backup restore FILE               fill an empty store from a copy; the server must be stopped
  user reset EMAIL                  a link with which this person chooses a new password
  blobs move s3|disk [--remove]     copy files to the object store or back; with --remove, take away the old ones
  secrets rotate                    seal every secret with a new key, while the server runs or not
`
const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

class UsageError extends Error {}

const wantsJson = process.argv.includes('--json')
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new StartError('Stopped before it was done: nothing was changed')))
}

try {
  await operate()
} catch (error) {
  const { code, message, exit } = describe(error)
  process.stderr.write(
    wantsJson ? `${JSON.stringify({ error: { code, message } })}\n` : `coherex: ${message.split('\n')[0]}\n`,
  )
  if (error instanceof UsageError && !wantsJson) process.stderr.write(`\n${usage}`)
  process.exitCode = exit
}

async function operate(): Promise<void> {
  const { positionals, values } = parse()
  if (values.help) return say(usage.trimEnd(), { usage })
  const [noun = '', verb = '', ...rest] = positionals
  const command = `${noun} ${verb}`.trim()
  if (values['with-key'] && command !== 'backup create') throw new UsageError('--with-key belongs to backup create')
  if (values.remove && command !== 'blobs move') throw new UsageError('--remove belongs to blobs move')
  const [argument = ''] = rest
  const takes = { 'backup create': 1, 'backup restore': 1, 'user reset': 1, 'secrets rotate': 0, 'blobs move': 1 }[
    command
  ]
  if (takes === undefined) throw new UsageError(command ? `There is no command "${command}"` : 'Name a command')
  if (rest.length !== takes)
    throw new UsageError(takes ? `${command} needs one argument` : `${command} takes no argument`)

  const config = readProcessConfig()
  const log = createLog(config.logLevel)
  const { signal } = stop
  if (command === 'backup create') {
    const withKey = values['with-key'] ?? false
    const made = await createBackup({ config, version, signal, file: argument, withKey })
    await say(
      `Wrote ${made.rows} rows and ${made.blobs} files to ${made.file} (${formatBytes(made.bytes)}).\n${keyAdvice(made.holdsKey)}`,
      made,
    )
  } else if (command === 'backup restore') {
    const restored = await restoreBackup({ config, log, signal, file: argument })
    await say(
      `Restored ${restored.rows} rows and ${restored.blobs} files from ${restored.file} of ${restored.createdAt}. Everyone signs in again.`,
      restored,
    )
  } else if (command === 'blobs move') {
    if (argument !== 's3' && argument !== 'disk') throw new UsageError('blobs move goes to s3 or to disk')
    const onProgress = (moved: number) => {
      if (!wantsJson && moved % 500 === 0) process.stderr.write(`Copied ${moved} files\n`)
    }
    const moved = await moveBlobs({ config, signal, to: argument, removes: values.remove ?? false, onProgress })
    const removed = moved.removed > 0 ? `, and removed ${moved.removed} where they were` : ''
    await say(
      `Copied ${moved.moved} files (${formatBytes(moved.bytes)}); ${moved.kept} were there already${removed}.`,
      moved,
    )
  } else if (command === 'user reset') {
    const reset = await resetUser(config, log, argument.trim().toLowerCase())
    await say(`${reset.email} can choose a new password until ${reset.expiresAt}:\n${reset.link}`, reset)
  } else {
    await rotateSecrets(config, log, async (rotated) => {
      const where = rotated.file
        ? `The new key is in ${rotated.file}.`
        : `COHEREX_SECRET_KEY is set, so no file was written. Set it to this before the next start:\n${rotated.newKey}`
      await say(`Sealed ${rotated.secrets} secrets of ${rotated.teams} teams anew. ${where}`, rotated)
    })
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        'with-key': { type: 'boolean' },
        remove: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function say(text: string, value: object): Promise<void> {
  const line = wantsJson ? JSON.stringify(value) : text
  return new Promise((resolve, reject) => {
    process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

function keyAdvice(holdsKey: boolean): string {
  return holdsKey
    ? 'It holds the secret key: whoever has the file can read every secret.'
    : 'It does not hold the secret key: keep COHEREX_SECRET_KEY or secret.key apart, or the secrets in it cannot be opened.'
}

function describe(error: unknown): { code: string; message: string; exit: number } {
  const { message } = error as Error
  if (error instanceof UsageError) return { code: 'invalid_input', message, exit: 2 }
  if (error instanceof StartError) return { code: 'conflict', message, exit: 1 }
  if (error instanceof CoherexError) return { code: error.code, message, exit: 1 }
  return { code: 'internal', message: `Something went wrong: ${message}`, exit: 1 }
}
