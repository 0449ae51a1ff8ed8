import { CoherexError } from '@coherex/contract'
import type { Resource } from '@modelcontextprotocol/server'
import type { Workspaces } from '../../workspaces/index.ts'
import { mediaTypeOf, mostFileBytes, readWhole, toContents } from './read-whole.ts'
import type { Shelf, Visit } from './shelf.ts'

const template = 'coherex://workspaces/{workspaceId}/files/{+path}'
const mostFiles = 500
const mostCompletions = 100

export function toFileUri(workspaceId: string, path: string): string {
  return `coherex://workspaces/${workspaceId}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Files of workspaces, to read. A page of the list is one workspace; files beyond the first 500 are read by their names. */
export function workspaceResources(workspaces: Workspaces): Shelf {
  const { files } = workspaces

  async function completePath({ caller }: Visit, workspaceId: string, begun: string): Promise<string[]> {
    const { items } = await files.list({ teamId: caller.teamId, workspaceId })
    return items.map(({ path }) => path).filter((path) => path.startsWith(begun))
  }

  return {
    async resources({ caller }, cursor) {
      const { items, nextCursor } = await workspaces.list(caller.teamId, { limit: 1, archived: false, cursor })
      const pages = await Promise.all(
        items.map(async ({ id, name }) => {
          const found = await files.list({ teamId: caller.teamId, workspaceId: id })
          const small = found.items.filter(({ size }) => size <= mostFileBytes)
          return small.slice(0, mostFiles).map(({ path, size }) => toResource({ id, name }, { path, size }))
        }),
      )
      return { items: pages.flat(), next: nextCursor ?? undefined }
    },

    templates: [
      {
        name: 'workspace-file',
        title: 'A file of a workspace',
        uriTemplate: template,
        description: 'Workspaces and their files are listed by list_workspaces and list_files',
      },
    ],

    async readResource({ caller }, uri) {
      const [, workspaceId, rest] = /^coherex:\/\/workspaces\/(wsp_\w{1,40})\/files\/(.+)$/.exec(uri) ?? []
      const path = rest === undefined ? undefined : decode(rest)
      if (workspaceId === undefined || path === undefined) return undefined
      try {
        const { size, body } = await files.read({ teamId: caller.teamId, workspaceId }, path)
        return { contents: [toContents(uri, path, await readWhole({ path, size, body }))] }
      } catch (error) {
        if (error instanceof CoherexError && error.code === 'not_found') return undefined
        throw error
      }
    },

    isUpdated: (uri, { type, id }) =>
      type === 'file-changed' && id !== null && uri.startsWith(`coherex://workspaces/${id}/`),

    async complete(visit, { ref, argument, given }) {
      if (ref.type !== 'ref/resource' || ref.uri !== template) return undefined
      const { workspaceId } = given
      const found =
        argument.name === 'workspaceId'
          ? (await workspaces.list(visit.caller.teamId, { limit: 100, archived: false })).items
              .map(({ id }) => id)
              .filter((id) => id.startsWith(argument.value))
          : argument.name === 'path' && workspaceId !== undefined
            ? await completePath(visit, workspaceId, argument.value)
            : []
      return { values: found.slice(0, mostCompletions), total: found.length, hasMore: found.length > mostCompletions }
    },
  }
}

function toResource(workspace: { id: string; name: string }, { path, size }: { path: string; size: number }): Resource {
  return {
    uri: toFileUri(workspace.id, path),
    name: path,
    title: `${workspace.name}: ${path}`,
    mimeType: mediaTypeOf(path),
    size,
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
