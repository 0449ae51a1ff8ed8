import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import {
  DirectoryInUseError,
  embeddedOwner,
  findEmbeddedPostgres,
  openDataDirectory,
  parseDatabaseUrl,
  prepareEmbedded,
  startEmbeddedPostgres,
  StartError,
} from '../base/index.ts'
import type { Config } from '../config.ts'

/** The store of an installation whose server may be running. */
export interface BesideServer {
  /** How to connect as the owner. */
  owner: ClientConfig
  close(): Promise<void>
}

/** Joins the running server's database, or starts the embedded one for as long as the command takes. */
export async function openBeside(config: Config): Promise<BesideServer> {
  const close = async () => undefined
  if (config.databaseUrl) return { owner: parseDatabaseUrl(config.databaseUrl), close }

  const postgresDirectory = join(config.dataDirectory, 'postgres')
  if (!(await stat(postgresDirectory).catch(() => undefined)))
    throw new StartError(`There is no data in ${config.dataDirectory}: start Coherex once, or set COHEREX_DATA_DIR`)
  const directory = await openDataDirectory(config.dataDirectory).catch((error: unknown) => {
    if (error instanceof DirectoryInUseError) return undefined
    throw error
  })
  if (!directory) return { owner: embeddedOwner(await findEmbeddedPostgres(postgresDirectory)), close }
  try {
    const postgres = await startEmbeddedPostgres(postgresDirectory)
    const stop = () => postgres.stop().finally(() => directory.release())
    const owner = await prepareEmbedded(postgres).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { owner, close: stop }
  } catch (error) {
    await directory.release()
    throw error
  }
}
