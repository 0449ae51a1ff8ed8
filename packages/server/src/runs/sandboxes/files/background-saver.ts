import type { Log } from '../../../base/index.ts'
import type { AwakeSandboxes } from '../awake-sandboxes.ts'
import type { OpenSandbox } from '../open-sandbox.ts'

const saveEveryMs = 30_000

export interface SaverOptions {
  awake: Pick<AwakeSandboxes, 'all' | 'get'>
  save(open: OpenSandbox): Promise<void>
  log: Log
}

/** Commands write when they like: what they wrote is saved now and then while they run, and when they end. */
export class BackgroundSaver {
  readonly #options: SaverOptions
  readonly #timer: NodeJS.Timeout

  constructor(options: SaverOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      for (const open of options.awake.all()) if (open.processes().some(({ exit }) => !exit)) this.saveLater(open)
    }, saveEveryMs)
    this.#timer.unref()
  }

  /** Saves what is still awake; nobody waits for it. */
  saveLater(open: OpenSandbox): void {
    const { awake, save, log } = this.#options
    if (awake.get(open.row.id) !== open) return
    save(open).catch((error: unknown) => {
      log.warn({ error, sandbox: open.row.id }, 'files of a sandbox could not be saved')
    })
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
