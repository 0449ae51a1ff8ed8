import { createClient, type Client } from '@coherex/contract'
import { createTestDatabase, type TestDatabase } from './database/test-database.ts'
import { findLastingPort } from './lasting-port.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from './server-process.ts'

/** The real program on a database and a data directory that outlive it. */
export interface KillableServer {
  process: ServerProcess
  dataDirectory: string
  database: TestDatabase
  /** Calls whichever process runs now, as the owner. */
  call: Client
  /** As a power cut would end it. */
  killNow(): Promise<void>
  /** As an operator would. */
  terminate(): Promise<void>
  /** The next process, on the same database and directory, and where it is asked for at the same address. */
  startAgain(where?: { isWhereItWas: boolean }): Promise<void>
  remove(): Promise<void>
}

const token = 'tok_0123456789012345678901'

export async function startKillableServer(settings: Record<string, string> = {}): Promise<KillableServer> {
  const [database, directory] = await Promise.all([createTestDatabase(), makeTestDirectory()])
  const start = (port = '0') =>
    startServerProcess({
      DATABASE_URL: database.url,
      COHEREX_DATA_DIR: directory.path,
      COHEREX_TOKEN: token,
      PORT: port,
      ...settings,
    })
  const end = async (signal: NodeJS.Signals) => {
    server.process.kill(signal)
    await server.process.ended
  }
  const clientOf = ({ url }: ServerProcess) => createClient({ baseUrl: url, fetch, key: token })
  const first = await start(String(await findLastingPort()))
  const server: KillableServer = {
    process: first,
    dataDirectory: directory.path,
    database,
    call: clientOf(first),
    killNow: () => end('SIGKILL'),
    terminate: () => end('SIGTERM'),
    async startAgain({ isWhereItWas } = { isWhereItWas: false }) {
      server.process = await start(isWhereItWas ? new URL(server.process.url).port : undefined)
      server.call = clientOf(server.process)
    },
    async remove() {
      await server.terminate()
      await database.drop()
      await directory.remove()
    },
  }
  return server
}
