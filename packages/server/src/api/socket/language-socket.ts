import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CoherexError, languageRequest, socketClose, type LanguageEvent, type LanguageRequest } from '@coherex/contract'
import { WebSocketServer, type WebSocket } from 'ws'
import { checkAccess, type IdentifyCaller } from '../../access/index.ts'
import { actFor, type EventFeed, type Log } from '../../base/index.ts'
import type { LanguageServers, WorkspaceLanguage } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { admitSocket, refuseSocket, type Admitted } from './admit-socket.ts'
import { watchSockets } from './watch-sockets.ts'

export interface LanguageSocketOptions {
  languageServers: LanguageServers
  workspaces: Pick<Workspaces, 'get'>
  events: EventFeed
  identifyCaller: IdentifyCaller
  publicUrl: string
  log: Log
}

interface Editor extends Admitted {
  workspaceId: string
  frames: number
}

// whoever may read the files may read what is said of them
const access = { role: 'viewer', scope: 'read' } as const
const ownPath = /^\/api\/v1\/workspaces\/(wsp_[0-9a-z]{20,32})\/languages\/python$/
const largestMessage = 16 * 1024
const socketsPerPerson = 50
/** Questions of one editor that wait for an answer. */
const mostAsked = 10
/** Messages between two checks, which are three seconds apart. */
const framesAllowed = 300
// a reader this far behind asks anew
const largestBacklog = 4 * 1024 * 1024
const tooMuch = 1008

/**
 * WS /api/v1/workspaces/{id}/languages/python: completion, hover, signatures, definitions and problems of the Python files that are
 * open, from a language server in a sandbox. The texts are those of the workspace.
 */
export function createLanguageSocket(options: LanguageSocketOptions) {
  const { languageServers, workspaces, events, identifyCaller, publicUrl, log } = options
  const server = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const checkWorkspace = async (teamId: string, workspaceId: string) => {
    const { archivedAt } = await workspaces.get(teamId, workspaceId)
    if (archivedAt !== null) throw new CoherexError('conflict', 'The workspace is archived')
  }
  const sockets = watchSockets<Editor>({
    events,
    identifyCaller,
    log,
    async check(caller, { caller: { teamId }, workspaceId }) {
      checkAccess(access, caller)
      await actFor(caller.person.id, () => checkWorkspace(teamId, workspaceId))
    },
    onRound: (known) => (known.frames = 0),
  })

  async function admit(request: IncomingMessage): Promise<Admitted> {
    const admitted = await admitSocket(request, { identifyCaller, publicUrl })
    checkAccess(access, admitted.caller)
    const own = [...sockets.open.values()].filter((one) => one.caller.person.id === admitted.caller.person.id)
    if (own.length >= socketsPerPerson) throw new CoherexError('quota_exceeded', 'Too many sockets are open')
    return admitted
  }

  function connect(socket: WebSocket, known: Editor, language: WorkspaceLanguage | undefined): void {
    sockets.add(socket, known)
    const tell = (event: LanguageEvent) => {
      if (socket.bufferedAmount > largestBacklog) return socket.terminate()
      socket.send(JSON.stringify(event))
    }
    if (!language) return tell({ type: 'state', state: 'unavailable', reason: languageServers.unavailable ?? '' })
    const converse = createConversation(language, tell, log)
    socket.on('message', (data: Buffer, isBinary) => {
      const asked = isBinary ? undefined : languageRequest.safeParse(parseJson(data.toString()))
      if (++known.frames > framesAllowed) socket.close(tooMuch, 'too many messages')
      else if (asked?.success) converse.take(asked.data)
      else socket.close(tooMuch, 'not understood')
    })
    socket.on('close', converse.end)
  }

  return {
    takes: (path: string | undefined): boolean => ownPath.test(path ?? ''),

    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      try {
        const workspaceId = ownPath.exec(request.url?.split('?', 1)[0] ?? '')?.[1] ?? ''
        const admitted = await admit(request)
        const { caller } = admitted
        const language = await actFor(caller.person.id, async () => {
          await checkWorkspace(caller.teamId, workspaceId)
          return languageServers.unavailable === undefined ? languageServers.of(caller, workspaceId) : undefined
        })
        server.handleUpgrade(request, socket, head, (webSocket) =>
          connect(webSocket, { ...admitted, workspaceId, frames: 0 }, language),
        )
      } catch (error) {
        if (refuseSocket(socket, error) === 500) log.error({ error }, 'a language server could not be joined')
      }
    },

    close(): void {
      sockets.close()
      for (const socket of sockets.open.keys()) socket.close(socketClose.stopping, 'the server stops')
      server.close()
    },
  }
}

/** What one editor asks of the language server of its workspace. */
function createConversation(language: WorkspaceLanguage, tell: (event: LanguageEvent) => void, log: Log) {
  const asked = new Map<number, AbortController>()
  const client = { tell }
  /** The items of its last completion, for whoever asks more about one. */
  let last: { id: number; items: unknown[] } = { id: -1, items: [] }
  language.join(client)

  async function answer(request: Extract<LanguageRequest, { type: 'ask' | 'describe' }>): Promise<void> {
    const { id } = request
    const stop = new AbortController()
    if (asked.size >= mostAsked || asked.has(id)) return tell({ type: 'failure', id, message: 'Too many questions' })
    asked.set(id, stop)
    try {
      if (request.type === 'describe') {
        const item = request.of === last.id ? last.items[request.index] : undefined
        tell({ type: 'answer', id, value: item === undefined ? null : await language.describe(item, stop.signal) })
      } else {
        const { value, items } = await language.ask(client, request, stop.signal)
        if (items) last = { id, items }
        tell({ type: 'answer', id, value })
      }
    } catch (error) {
      const isKnown = error instanceof CoherexError || (error instanceof DOMException && error.name !== 'SyntaxError')
      if (!isKnown) log.warn({ error }, 'a question to a language server failed')
      tell({ type: 'failure', id, message: error instanceof CoherexError ? error.message : 'It took too long' })
    } finally {
      asked.delete(id)
    }
  }

  return {
    take(request: LanguageRequest): void {
      switch (request.type) {
        case 'open':
          try {
            return language.open(client, request.path)
          } catch (error) {
            log.debug({ error }, 'a file was not opened in a language server')
            return undefined
          }
        case 'close':
          return language.close(client, request.path)
        case 'cancel':
          return asked.get(request.id)?.abort()
        case 'ask':
        case 'describe':
          return void answer(request)
      }
    },
    end(): void {
      for (const stop of asked.values()) stop.abort()
      language.leave(client)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
