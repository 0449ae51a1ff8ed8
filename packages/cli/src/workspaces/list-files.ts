import { routes, type WorkspaceFile } from '@coherex/contract'
import { isSynced } from './scan-folder.ts'
import type { SyncOptions } from './sync-folder.ts'

export type Listed = { version: number; items: WorkspaceFile[] }

/** What is in the workspace and may come here. */
export async function listFiles({ connection, state }: Pick<SyncOptions, 'connection' | 'state'>): Promise<Listed> {
  const { version, items } = await connection.client(routes.workspaces.listFiles, { params: { id: state.workspaceId } })
  return { version, items: items.filter(({ path }) => isSynced(path)) }
}
