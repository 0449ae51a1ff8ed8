import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, hasScope } from '@coherex/contract'
import { inTeam, type IdentifyCaller, type Standing, type TeamCaller } from '../../access/index.ts'
import type { Log } from '../../base/index.ts'
import type { OpenSandbox, Sandboxes } from '../../runs/index.ts'
import { isOurHost, isOurOrigin } from '../http/guard-requests.ts'
import { toIdentifyingHeaders } from '../socket/identifying-headers.ts'
import { answerError, answerPreflight, redirect } from './answer.ts'
import { checkFetchMetadata, isPreflight, referringToken } from './browser-requests.ts'
import { forwardRequest, forwardUpgrade } from './forward.ts'
import { corsHeaders, toBrowserHeaders, toGuestHeaders } from './preview-headers.ts'
import type { PreviewLink, PreviewLinks } from './preview-links.ts'

export interface PreviewsOptions {
  links: PreviewLinks
  sandboxes: Sandboxes
  identifyCaller: IdentifyCaller
  standing: Standing
  publicUrl: string
  log: Log
}

const ownPath = /^\/preview\/([\w-]{20,2000}\.[\w-]{20,100})(\/.*)?$/s
const recheckEveryMs = 3000
const openAtOnce = 200

/** Pages that processes in sandboxes serve, at signed addresses of ours. They are strangers on our origin. */
export function createPreviews({ links, sandboxes, identifyCaller, standing, publicUrl, log }: PreviewsOptions) {
  const sockets = new Map<Duplex, { link: PreviewLink; close(): void }>()
  const timer = setInterval(() => {
    for (const { link, close } of sockets.values()) void mayGoOn(link).then((may) => may || close(), close)
  }, recheckEveryMs)
  timer.unref()

  /** Throws unless the link counts now; answers the member who came with it, when that is asked for. */
  async function admit(link: PreviewLink, request: IncomingMessage): Promise<TeamCaller | undefined> {
    if (link.for !== 'team') {
      if (await mayGoOn(link)) return undefined
      throw new CoherexError('not_found', 'This address is not valid any more')
    }
    const caller = await identifyCaller(toIdentifyingHeaders(request), {
      ip: request.socket.remoteAddress ?? null,
      requestId: null,
    })
    if (!caller) throw new CoherexError('unauthenticated', 'Sign in to see this: it is shown to members of its team')
    if (caller.teamId !== link.teamId || !hasScope(caller.scopes, 'read')) {
      throw new CoherexError('not_found', 'There is no such preview in your team')
    }
    return inTeam(caller)
  }

  async function mayGoOn(link: PreviewLink): Promise<boolean> {
    if (link.until < Date.now()) return false
    if (link.for === 'view') return standing(link)
    const row = await sandboxes.find(link.teamId, link.sandboxId).catch(() => undefined) // the team may be gone
    if (!row || row.status === 'ended') return false
    return link.for === 'team' || row.sharesSince.getTime() <= link.at
  }

  /** A member's look wakes a sandbox; a stranger's does not. */
  function withSandbox<T>(link: PreviewLink, work: (open: OpenSandbox) => Promise<T>): Promise<T> {
    const { teamId, sandboxId } = link
    if (link.for === 'anyone' && !sandboxes.awake(teamId, sandboxId)) {
      throw new CoherexError('unavailable', 'The sandbox behind this page sleeps: a member of its team can wake it')
    }
    return sandboxes.use(teamId, sandboxId, work)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, link, path } = readRequest(request)
    const prefix = `/preview/${token}`
    const { origin } = request.headers
    if (path === '') return redirect(response, 308, `${prefix}/`)
    if (isPreflight(request)) return answerPreflight(request, response)
    const member = await admit(link, request)
    // a page of it has no origin and sends no cookie with what it loads: it gets an address of its own
    if (member && member.via === 'session' && request.headers['sec-fetch-mode'] === 'navigate') {
      return redirect(response, 302, `/preview/${links.forView(link, member)}${path}`)
    }
    await withSandbox(link, async ({ inside }) => {
      const connection = await inside.connect(link.port)
      await forwardRequest(request, response, {
        connection,
        path,
        headers: toGuestHeaders(request.headers, { port: link.port, prefix }),
        toBrowser: (headers) => toBrowserHeaders(headers, { port: link.port, prefix, origin }),
      })
    })
  }

  function readRequest(request: IncomingMessage): { token: string; link: PreviewLink; path: string } {
    const { host } = request.headers
    if (!isOurHost(host, publicUrl))
      throw new CoherexError('forbidden', 'This server does not answer to that host name')
    checkFetchMetadata(request)
    const [, token = '', path = ''] = ownPath.exec(request.url ?? '') ?? []
    const link = token === '' ? undefined : links.read(token)
    if (!link) throw new CoherexError('not_found', 'This address is not valid, or not any more')
    return { token, link, path }
  }

  return {
    /** Whether a request is for a page of a sandbox: by its address, or by the page that asked for something at our root. */
    takes(request: IncomingMessage): boolean {
      return request.url?.startsWith('/preview/') === true || referringToken(request) !== undefined
    },

    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        const token = referringToken(request)
        if (!request.url?.startsWith('/preview/') && token !== undefined) {
          for (const [name, value] of Object.entries(corsHeaders(request.headers.origin)))
            response.setHeader(name, value ?? '')
          return redirect(response, 307, `/preview/${token}${request.url}`)
        }
        await serve(request, response)
      } catch (error) {
        answerError(response, error, log)
      }
    },

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const { token, link, path } = readRequest(request)
        const { origin, host } = request.headers
        if (origin !== 'null' && !isOurOrigin(origin, host, publicUrl)) {
          throw new CoherexError('forbidden', 'Requests from other sites are refused')
        }
        await admit(link, request)
        if (sockets.size >= openAtOnce) throw new CoherexError('quota_exceeded', 'Too many connections are open')
        await withSandbox(link, async ({ inside }) => {
          const connection = await inside.connect(link.port)
          const close = () => {
            socket.destroy()
            connection.destroy()
          }
          sockets.set(socket, { link, close })
          const headers = toGuestHeaders(request.headers, { port: link.port, prefix: `/preview/${token}` })
          await forwardUpgrade({ socket, head }, { connection, path, headers }).finally(() => sockets.delete(socket))
        })
      } catch (error) {
        const status = error instanceof CoherexError ? error.status : 500
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      }
    },

    close(): void {
      clearInterval(timer)
      for (const { close } of sockets.values()) close()
    },
  }
}

export type Previews = ReturnType<typeof createPreviews>
