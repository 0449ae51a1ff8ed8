import { Readable } from 'node:stream'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import { bodyChunks, readRest } from '../requests/body-bytes.ts'
import type { Env } from '../requests/request-context.ts'

const { attachments: route } = routes

/** Files of messages. What comes back is whatever someone sent, and only ever a download. */
export function mountAttachments(app: Hono<Env>, api: Api): void {
  mount(app, api, route.upload, async ({ query, caller, context }) => {
    const { body } = context.req.raw
    try {
      const file = { name: query.name, mediaType: context.req.header('content-type') }
      return await api.attachments.upload(inTeam(caller), file, bodyChunks(body))
    } catch (error) {
      await readRest(body)
      throw error
    }
  })

  mount(app, api, route.content, async ({ params, caller }) => {
    const { file, body } = await api.attachments.read(inTeam(caller), params.id)
    return new Response(Readable.toWeb(body) as ReadableStream, { headers: download(file.name) })
  })
}

function download(name: string): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
  }
}
