// oxlint-disable-next-line house/rooms -- the door would load the whole room before the compile cache is on
import { StartError } from './base/start-error.ts'
import { quickenStart } from './quicken-start.ts'

quickenStart()

// requests have 30 seconds of it and runs 13
const stopDeadlineMs = 120_000

const started = performance.now()
try {
  // a bad setting is told before the rest is loaded
  const { readProcessConfig } = await import('./config.ts')
  const config = readProcessConfig()
  const { startServer } = await import('./server.ts')
  const starting = startServer(config)
  // from now on, because a start that is killed leaves a database running
  stopOnSignal(starting)
  const server = await starting
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`Coherex is ready in ${seconds} s at ${server.url}  Sign in: ${server.signInLink}\n`)
} catch (error) {
  // one sentence for what a person can mend, a line of the log for what only we can
  if (error instanceof StartError) process.stderr.write(`${error.message}\n`)
  else await logFailure(error, 'Coherex could not start')
  process.exit(1)
}

function stopOnSignal(starting: Promise<{ stop(): Promise<void> }>): void {
  let stoppingSince: number | undefined
  const stop = (code: number) => {
    if (stoppingSince !== undefined) {
      // one Ctrl-C arrives twice, from the terminal and from npm; a later one does not wait for requests any more
      if (performance.now() - stoppingSince > 1000) process.exit(130)
      return
    }
    stoppingSince = performance.now()
    // whoever stopped it must not have to come back; the next start clears up what is left
    setTimeout(() => {
      process.stderr.write('Coherex did not stop within two minutes, and ends without it\n')
      process.exit(1)
    }, stopDeadlineMs).unref()
    const told = starting.catch(() => undefined) // told by whoever awaits the start
    told
      .then((server) => server?.stop())
      .then(
        () => process.exit(code),
        (error: unknown) => {
          process.stderr.write(`Coherex did not stop cleanly: ${String(error)}\n`)
          process.exit(1)
        },
      )
  }
  process.on('SIGINT', () => stop(0))
  process.on('SIGTERM', () => stop(0))
  process.on('SIGHUP', () => stop(0))
  const fail = (error: unknown) => {
    void logFailure(error, 'Coherex failed').then(() => stop(1))
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

/** Through the log, which tells nothing of the host. */
async function logFailure(error: unknown, message: string): Promise<void> {
  const { createLog } = await import('./base/index.ts')
  createLog('fatal').fatal({ error }, message)
}
