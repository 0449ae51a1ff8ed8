import { Readable } from 'node:stream'
import { CoherexError, routes } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { inTeam, type Caller } from '../../../access/index.ts'
import type { ReadFile } from '../../../workspaces/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'
import { readPrecondition } from './file-precondition.ts'

const { workspaces: route } = routes

export function mountWorkspaceFiles(app: Hono<Env>, api: Api): void {
  const { workspaces } = api
  const nameOf = (caller: Caller, params: { id: string }) => ({ teamId: inTeam(caller).teamId, workspaceId: params.id })

  mount(app, api, route.listFiles, async ({ params, query, caller }) =>
    workspaces.files.list(nameOf(caller, params), { globs: toGlobs(query.globs), version: query.version }),
  )

  mount(app, api, route.readFile, async ({ params, query, caller, context }) =>
    toResponse(await workspaces.files.read(nameOf(caller, params), params.path, query.version), params.path, context),
  )

  mount(app, api, route.versionFiles, async ({ params, query, caller }) =>
    workspaces.files.list(nameOf(caller, params), { globs: toGlobs(query.globs), version: params.number }),
  )

  mount(app, api, route.versionFile, async ({ params, caller, context }) =>
    toResponse(await workspaces.files.read(nameOf(caller, params), params.path, params.number), params.path, context),
  )

  mount(app, api, route.writeFile, async ({ params, query, caller, context }) => {
    const { agent, ...options } = withPrecondition(query, context)
    const author = authorOf(caller, context, agent)
    // not cancelled when it is refused: that would cut the connection before the client could read why
    const bytes = context.req.raw.body?.values({ preventCancel: true }) ?? []
    return workspaces.files.write(nameOf(caller, params), { ...options, author, path: params.path, bytes })
  })

  mount(app, api, route.removeFile, async ({ params, query, caller, context }) => {
    const { agent, ...options } = withPrecondition(query, context)
    const author = authorOf(caller, context, agent)
    return workspaces.files.remove(nameOf(caller, params), { ...options, author, path: params.path })
  })

  mount(app, api, route.changeFiles, async ({ params, body, caller, context }) =>
    workspaces.files.changeMany(nameOf(caller, params), {
      author: authorOf(caller, context),
      message: body.message,
      written: body.write.map(({ text, base64, ...file }) => ({
        ...file,
        bytes: text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text),
      })),
      removed: body.remove,
    }),
  )

  mount(app, api, route.edit, async ({ params, body, caller, context }) => {
    const { agent, ...edit } = body
    return workspaces.files.edit(nameOf(caller, params), { ...edit, author: authorOf(caller, context, agent) })
  })

  mount(app, api, route.move, async ({ params, body, caller, context }) => {
    const { agent, ...move } = body
    return workspaces.files.move(nameOf(caller, params), { ...move, author: authorOf(caller, context, agent) })
  })

  mount(app, api, route.replace, async ({ params, body, caller, context }) => {
    const { regex, globs, preview, ...request } = body
    return workspaces.replace(nameOf(caller, params), {
      ...{ ...request, isRegex: regex, globs: toGlobs(globs), isPreview: preview },
      author: authorOf(caller, context),
    })
  })

  mount(app, api, route.search, async ({ params, query, caller }) =>
    workspaces.files.search(nameOf(caller, params), {
      pattern: query.pattern,
      isRegex: query.regex === 'true',
      matchCase: query.matchCase === 'true',
      most: query.most,
      globs: toGlobs(query.globs),
    }),
  )
}

function withPrecondition<Q extends { expectedVersion?: number | undefined }>(query: Q, context: Context<Env>) {
  const precondition = readPrecondition(context.req.raw.headers)
  if (query.expectedVersion !== undefined && precondition.expectedVersion !== undefined) {
    throw new CoherexError('invalid_input', 'expectedVersion: say it, or If-None-Match')
  }
  return { ...query, ...precondition }
}

export function toGlobs(list: string | undefined): string[] | undefined {
  const globs = list?.split(',').filter((one) => one !== '')
  if (globs && globs.length > 50) throw new CoherexError('invalid_input', 'globs: at most 50 patterns')
  return globs?.length ? globs : undefined
}

function toResponse({ kind, size, hash, version, body }: ReadFile, path: string, context: Context<Env>): Response {
  const name = encodeURIComponent(path.split('/').at(-1) ?? 'file')
  const stream = Buffer.isBuffer(body) ? new Uint8Array(body) : (Readable.toWeb(body) as ReadableStream)
  return new Response(stream, {
    headers: {
      // never a page of ours, whatever is in it
      'content-type': kind === 'text' ? 'text/plain; charset=utf-8' : 'application/octet-stream',
      'content-disposition': `${kind === 'text' ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      'content-length': String(size),
      etag: `"${hash}"`,
      'x-coherex-version': String(version),
      'x-request-id': context.get('requestId'),
    },
  })
}
