import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import { createRateLimiter, type RateLimit, type TeamCaller } from '../../access/index.ts'
import { actFor, type Log } from '../../base/index.ts'
import type { OpenSandbox } from '../../runs/index.ts'
import { isOurHost, isOurOrigin, mayChange } from '../http/requests/guard-requests.ts'
import { createAdmission, viewerOf, type AdmissionOptions } from './admit-viewer.ts'
import { answerError, answerPreflight, redirect } from './answer.ts'
import { checkFetchMetadata, isPreflight } from './browser-requests.ts'
import { forwardRequest, forwardUpgrade } from './forward.ts'
import { toBrowserHeaders, toGuestHeaders } from './preview-headers.ts'
import type { PreviewLink, PreviewLinks } from './preview-links.ts'

export interface PreviewsOptions extends AdmissionOptions {
  links: PreviewLinks
  publicUrl: string
  log: Log
  /** What one viewer may ask of a sandbox, and all of them together. */
  rates?: { viewer: RateLimit; sandbox: RateLimit }
}

const ownPath = /^\/preview\/([\w-]{20,2000}\.[\w-]{20,100})(\/.*)?$/s
const recheckEveryMs = 3000
const openAtOnce = 200
// a page with all it loads is a burst; what a script may ask of it after that is far more than a person can look at
const usualRates = { viewer: { burst: 400, perSecond: 50 }, sandbox: { burst: 1000, perSecond: 200 } }

/** Pages that processes in sandboxes serve, at signed addresses of ours. They are strangers on our origin. */
export function createPreviews({ links, publicUrl, log, rates = usualRates, ...options }: PreviewsOptions) {
  const { sandboxes } = options
  const limitViewer = createRateLimiter(rates.viewer)
  const limitSandbox = createRateLimiter(rates.sandbox)
  const admission = createAdmission(options)
  const sockets = new Map<Duplex, { link: PreviewLink; viewer: string | undefined; close(): void }>()
  const timer = setInterval(() => {
    for (const { link, viewer, close } of sockets.values())
      void admission.isValid(link, viewer).then((is) => is || close(), close)
  }, recheckEveryMs)
  timer.unref()

  /** A member's look wakes a sandbox; a stranger's does not. */
  function withSandbox<T>(
    link: PreviewLink,
    viewer: string | undefined,
    work: (open: OpenSandbox) => Promise<T>,
  ): Promise<T> {
    const { teamId, sandboxId } = link
    if (link.for === 'anyone' && !sandboxes.awake(teamId, sandboxId)) {
      throw new CoherexError('unavailable', 'The sandbox behind this page sleeps: a member of its team can wake it')
    }
    const use = () => sandboxes.use(teamId, sandboxId, work)
    return viewer === undefined ? use() : actFor(viewer, use)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, link, path } = readRequest(request)
    const prefix = `/preview/${token}`
    const { origin } = request.headers
    if (path === '') return redirect(response, 308, `${prefix}/`)
    if (isPreflight(request)) return answerPreflight(request, response)
    const member = await admission.admit(link, request)
    // a page of it has no origin and sends no cookie with what it loads: it gets an address of its own
    if (member && member.via === 'session' && request.headers['sec-fetch-mode'] === 'navigate') {
      return redirect(response, 302, `/preview/${links.forView(link, member, admission.clientOf(request))}${path}`)
    }
    if (mayChange(request.method)) checkPage(member, request)
    await withSandbox(link, viewerOf(link, member), async ({ inside }) => {
      const connection = await inside.connect(link.port)
      await forwardRequest(request, response, {
        connection,
        path,
        prefix,
        headers: toGuestHeaders(request.headers, { port: link.port, prefix }),
        toBrowser: (headers) => toBrowserHeaders(headers, { port: link.port, prefix, origin }),
      })
    })
  }

  /** A cookie counts from pages of ours. Pages of sandboxes have no origin: the address they got is their right. */
  function checkPage(member: TeamCaller | undefined, { headers: { origin, host } }: IncomingMessage): void {
    if (member?.via === 'session' && !isOurOrigin(origin, host, publicUrl)) throw fromElsewhere()
  }

  function readRequest(request: IncomingMessage): { token: string; link: PreviewLink; path: string } {
    const { host } = request.headers
    if (!isOurHost(host, publicUrl))
      throw new CoherexError('forbidden', 'This server does not answer to that host name')
    checkFetchMetadata(request)
    const [, token = '', path = ''] = ownPath.exec(request.url ?? '') ?? []
    const link = token === '' ? undefined : links.read(token)
    if (!link) throw new CoherexError('not_found', 'This address is not valid, or not any more')
    // before anything is looked up: whoever has an address must not keep the server and the sandbox busy with it
    limitViewer(`${link.sandboxId} ${admission.clientOf(request)}`)
    limitSandbox(link.sandboxId)
    return { token, link, path }
  }

  return {
    takes: (request: IncomingMessage): boolean => request.url?.startsWith('/preview/') === true,

    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await serve(request, response).catch((error: unknown) => answerError(response, error, log))
    },

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const { token, link, path } = readRequest(request)
        const { origin, host } = request.headers
        if (origin !== undefined && origin !== 'null' && !isOurOrigin(origin, host, publicUrl)) throw fromElsewhere()
        const member = await admission.admit(link, request)
        const viewer = viewerOf(link, member)
        checkPage(member, request)
        if (sockets.size >= openAtOnce) throw new CoherexError('quota_exceeded', 'Too many connections are open')
        await withSandbox(link, viewer, async ({ inside }) => {
          const connection = await inside.connect(link.port)
          const close = () => {
            socket.destroy()
            connection.destroy()
          }
          sockets.set(socket, { link, viewer, close })
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

function fromElsewhere(): CoherexError {
  return new CoherexError('forbidden', 'Requests from other sites are refused')
}

export type Previews = ReturnType<typeof createPreviews>
