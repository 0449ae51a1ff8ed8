import { Readable } from 'node:stream'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam, type Caller } from '../../../access/index.ts'
import { readZip } from '../../../workspaces/index.ts'
import type { Api } from '../../api.ts'
import { zipFolder } from '../answers/zip-folder.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'

const { workspaces: route } = routes

/** Files of workspaces out as a zip and in from one. */
export function mountWorkspaceTransfer(app: Hono<Env>, api: Api): void {
  const { workspaces } = api
  const nameOf = (caller: Caller, params: { id: string }) => ({ teamId: inTeam(caller).teamId, workspaceId: params.id })

  mount(app, api, route.zip, async ({ params, query, caller }) => {
    const name = nameOf(caller, params)
    const { name: title } = await workspaces.get(name.teamId, params.id)
    const version = query.version ?? (await workspaces.versions.settle(name))
    const { items } = await workspaces.files.list(name, { version })
    const modifiedAt = new Date().toISOString()
    const entries = items.map(({ path, size }) => ({ path, size, type: 'file' as const, modifiedAt }))
    const chunks = zipFolder(entries, '', async (path) => {
      const { body } = await workspaces.files.read(name, path, version)
      return Buffer.isBuffer(body) ? Readable.from([body]) : body
    })
    return new Response(Readable.toWeb(Readable.from(chunks)) as ReadableStream, {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(title)}.zip`,
      },
    })
  })

  mount(app, api, route.importZip, async ({ params, query, caller, context }) => {
    const name = nameOf(caller, params)
    await workspaces.get(name.teamId, params.id)
    // not cancelled when it is refused: that would cut the connection before the client could read why
    const body = context.req.raw.body?.values({ preventCancel: true }) ?? Readable.from([])
    const folder = query.folder ? `${query.folder}/` : ''
    const written = (await readZip(body)).map(({ path, bytes }) => ({ path: folder + path, bytes }))
    const message = query.message ?? `Imported ${written.length} files from a zip`
    const result = await workspaces.files.writeAll(name, written, { author: authorOf(caller, context), message })
    return { ...result, files: written.length }
  })
}
