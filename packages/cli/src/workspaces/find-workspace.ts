import { resolve } from 'node:path'
import { CoherexError, routes, type Workspace } from '@coherex/contract'
import { Option } from 'commander'
import type { Connection } from '../connect.ts'
import { readState } from './state-file.ts'

export const workspaceOption = () =>
  new Option('-w, --workspace <workspace>', 'its id or name; that of the folder by default')
export interface WorkspaceOption {
  workspace?: string
}

/** The id of a workspace by its id or name; without either, the one that the folder belongs to. */
export async function findWorkspaceId(
  { client, url }: Connection,
  named: string | undefined,
  folder: string,
): Promise<string> {
  if (named === undefined) {
    const state = await readState(resolve(folder))
    if (state && state.url !== url) {
      throw new CoherexError('invalid_input', `${folder} belongs to a workspace of ${state.url}, not of ${url}`)
    }
    if (state) return state.workspaceId
    throw new CoherexError('invalid_input', 'Say which workspace: -w and its id or name')
  }
  if (/^wsp_\w+$/.test(named)) return named
  const { items } = await client(routes.workspaces.list, { query: { search: named.slice(0, 100), limit: 200 } })
  const [found, second] = items.filter(({ name }: Workspace) => name === named)
  if (second) throw new CoherexError('conflict', `Several workspaces are called "${named}": say the id`)
  if (!found) throw new CoherexError('not_found', `There is no workspace "${named}"`)
  return found.id
}
