import { Readable } from 'node:stream'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { copyFromWorkspace, copyToWorkspace } from '../../../runs/index.ts'
import type { Api } from '../../api.ts'
import { parseRange, takeRange } from '../answers/range.ts'
import { streamEvents } from '../answers/stream-events.ts'
import { zipFolder } from '../answers/zip-folder.ts'
import { mount } from '../mount.ts'
import { bodyChunks, readRest } from '../requests/body-bytes.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'

const { sandboxes: route } = routes

/** Files of sandboxes. What comes out is a guest's, and only ever a download. */
export function mountSandboxFiles(app: Hono<Env>, api: Api): void {
  const { sandboxFiles: files } = api

  mount(app, api, route.listFiles, async ({ params, query, caller }) => ({
    items: await files.list(inTeam(caller).teamId, params.id, query.path, { recursive: query.recursive === 'true' }),
  }))

  mount(app, api, route.readFile, async ({ params, caller, context }) => {
    const { size, body } = await files.read(inTeam(caller).teamId, params.id, params.path)
    const range = parseRange(context.req.header('range'), size)
    const headers = { ...download(params.path.split('/').at(-1) ?? 'file'), 'accept-ranges': 'bytes' }
    if (range === 'unsatisfiable') {
      body.destroy()
      return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
    }
    // a file that grows or shrinks while it is read ends the stream early: its length is not promised
    if (!range) return new Response(Readable.toWeb(body) as ReadableStream, { headers })
    const { first, last } = range
    return new Response(Readable.toWeb(Readable.from(takeRange(body, range))) as ReadableStream, {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${first}-${last}/${size}` },
    })
  })

  mount(app, api, route.writeFile, async ({ params, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { body } = context.req.raw
    try {
      return await files.write(teamId, params.id, params.path, bodyChunks(body))
    } catch (error) {
      await readRest(body)
      throw error
    }
  })

  mount(app, api, route.removeFile, async ({ params, caller }) =>
    files.remove(inTeam(caller).teamId, params.id, params.path),
  )
  mount(app, api, route.makeFolder, async ({ params, body, caller }) =>
    files.makeFolder(inTeam(caller).teamId, params.id, body.path),
  )
  mount(app, api, route.move, async ({ params, body, caller }) => files.move(inTeam(caller).teamId, params.id, body))

  mount(app, api, route.copyFromWorkspace, async ({ params, body, caller }) =>
    copyFromWorkspace(api, inTeam(caller), { id: params.id, ...body }),
  )
  mount(app, api, route.copyToWorkspace, async ({ params, body, caller, context }) =>
    copyToWorkspace(api, inTeam(caller), { id: params.id, ...body, author: authorOf(caller, context) }),
  )

  mount(app, api, route.zip, async ({ params, query, caller }) => {
    const { teamId } = inTeam(caller)
    const entries = await files.list(teamId, params.id, query.path, { recursive: true })
    const chunks = zipFolder(entries, query.path, async (path) => (await files.read(teamId, params.id, path)).body)
    const name = query.path.split('/').at(-1) || params.id
    return new Response(Readable.toWeb(Readable.from(chunks)) as ReadableStream, {
      headers: { ...download(`${name}.zip`), 'content-type': 'application/zip' },
    })
  })

  mount(app, api, route.watch, async ({ params, query, caller, context }) => {
    const { teamId } = inTeam(caller)
    await api.sandboxes.findUsable(teamId, params.id)
    return streamEvents(context, (send, signal, begin) =>
      files.watch(
        { teamId, id: params.id, path: query.path, signal },
        { onWatching: begin, onChange: (change) => send('file-change', change) },
      ),
    )
  })
}

function download(name: string): Record<string, string> {
  return {
    // never a page of ours: a guest wrote it
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
  }
}
