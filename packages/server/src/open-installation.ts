import { join } from 'node:path'
import {
  openDataDirectory,
  openStore,
  parseDatabaseUrl,
  prepareEmbedded,
  startEmbeddedPostgres,
  type DataDirectory,
  type Log,
  type Store,
} from './base/index.ts'
import type { Config } from './config.ts'

/** The data of one installation, opened: its directory and its store. */
export interface Installation {
  directory: DataDirectory
  store: Store
  close(): Promise<void>
}

/** Opens what the server and the operator's commands both work on, alone or not at all. */
export async function openInstallation(config: Config, log: Log): Promise<Installation> {
  const directory = await openDataDirectory(config.dataDirectory)
  const closers: (() => Promise<void>)[] = [() => directory.release()]
  const close = async () => {
    for (const one of closers.toReversed()) await one()
  }
  try {
    const owner = config.databaseUrl ? parseDatabaseUrl(config.databaseUrl) : await startEmbedded()
    const store = await openStore({ owner, log })
    closers.push(() => store.database.close())
    return { directory, store, close }
  } catch (error) {
    await close()
    throw error
  }

  async function startEmbedded() {
    const postgres = await startEmbeddedPostgres(join(config.dataDirectory, 'postgres'), {
      onCrash: () => log.error('the embedded database ended by itself and is started again'),
    })
    closers.push(() => postgres.stop())
    return prepareEmbedded(postgres)
  }
}
