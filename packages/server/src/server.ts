import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { languages, type Health } from '@coherex/contract'
import { getRequestListener } from '@hono/node-server'
import {
  createAccess,
  createIdentifyCaller,
  createKeyRing,
  createMailer,
  createOneTimeLink,
  createRateLimiter,
  createSignIn,
  createStanding,
  deriveKey,
  ensureFirstOwner,
  hashToken,
  listTeamsOf,
  prune,
} from './access/index.ts'
import { createAgents, findNeeds, prunePrograms, pruneStreams, recoverTurns } from './agents/index.ts'
import {
  createAnswerGuard,
  createApp,
  createEventSocket,
  createLanguageSocket,
  createMcpDoor,
  createShelves,
  createPreviewLinks,
  createPreviews,
  createSyncSocket,
  createTerminalSocket,
  type Api,
} from './api/index.ts'
import { createArtifacts, createShares } from './artifacts/index.ts'
import {
  createLog,
  openEventBus,
  openQueue,
  startMemoryRest,
  startTracing,
  StartError,
  type Database,
  type Log,
  type ReleaseBlobs,
} from './base/index.ts'
import type { Config } from './config.ts'
import { createRuns } from './create-runs.ts'
import { teamRules } from './egress/index.ts'
import { createExecutions, createInbox, createSearch } from './insight/index.ts'
import { localUrl } from './local-url.ts'
import { createHelp, createModels } from './models/index.ts'
import { openBlobs } from './open-blobs.ts'
import { openInstallation } from './open-installation.ts'
import { prunePackages } from './packages/index.ts'
import { createRegistry, moveToolFiles, toolBlobsInUse } from './registry/index.ts'
import {
  createVariables,
  pruneAttachments,
  pruneRunFiles,
  recoverRuns,
  recoverSandboxes,
  type Runs,
  UnusedBlobs,
} from './runs/index.ts'
import { findKeyInForce, loadSecretKey, settleSecretKey } from './secret-key.ts'
import { readServerId } from './server-id.ts'
import { createMcpServers, createSchemaChecks, createTools } from './tools/index.ts'
import { followAgent, followTool, pruneDeliveries, readDeliveryText, Triggers } from './triggers/index.ts'
import { makeSample, pruneWorkspaces, readLexemes, WorkspaceGit, Workspaces } from './workspaces/index.ts'

const version = (createRequire(import.meta.url)('../package.json') as { version: string }).version
const studioDirectory = fileURLToPath(new URL('../../studio/dist', import.meta.url))
const drainDeadlineMs = 30_000

export interface RunningServer {
  url: string
  /** Signs the first owner in, once. */
  signInLink: string
  /** Stops accepting, lets requests finish, closes everything. */
  stop(): Promise<void>
}

/** Builds the rooms, introduces them to each other and opens the doors. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLog(config.logLevel)
  const closers: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  }
  try {
    return await open()
  } catch (error) {
    await stop()
    throw error
  }

  async function open(): Promise<RunningServer> {
    if (config.otlpEndpoint) closers.push(await startTracing(config.otlpEndpoint))

    // first of all, because a taken port is the commonest reason not to start
    let answer = answerStarting
    const http = createServer((request, response) => void answer(request, response))
    const port = await listen(http, config)
    const url = localUrl(config.host, port)
    const publicUrl = config.publicUrl ?? url
    closers.push(() => drain(http, log))

    const installation = await openInstallation(config, log)
    closers.push(() => installation.close())
    const { directory, store } = installation
    const { database } = store
    const secretKey = await settleSecretKey(directory, database, {
      key: await loadSecretKey(directory, config.secretKey),
      setting: config.secretKey,
    })

    const events = await openEventBus(store.app, log)
    closers.push(() => events.close())
    const queue = await openQueue(store.app, log)
    closers.push(() => queue.close())
    const blobs = await openBlobs(config)
    const unusedBlobs = new UnusedBlobs({ database, blobs, log, usedAbove: toolBlobsInUse })
    closers.push(() => unusedBlobs.close())
    const releaseBlobs: ReleaseBlobs = (teamId, hashes) => unusedBlobs.release(teamId, hashes)
    await queue.work('prune', async () => {
      await prune(database, { auditDays: config.auditDays })
      await pruneRunFiles(database, releaseBlobs)
      await pruneAttachments(database, releaseBlobs)
      await pruneWorkspaces(database, releaseBlobs)
      await readLexemes(database)
      await pruneStreams(database)
      await pruneDeliveries(database)
      await prunePrograms(database)
      await prunePackages(database)
    })
    await queue.schedule('prune', '17 * * * *')

    const keyRing = createKeyRing(secretKey, (proof) => findKeyInForce(directory.path, proof))
    const signIn = createSignIn({
      pool: database.poolFor('coherex_auth'),
      secret: deriveKey(secretKey, 'session cookies').toString('hex'),
      publicUrl,
      oidc: config.oidc,
    })
    const owner = await ensureFirstOwner(database, keyRing)
    const identifyCaller = createIdentifyCaller({
      database,
      events,
      signIn,
      fixedKeyHash: config.token && hashToken(config.token),
    })
    const serverId = await readServerId(directory)
    await recoverRuns(database, serverId, log)
    const workspaces = new Workspaces({ database, events, blobs, releaseBlobs, log })
    closers.push(() => workspaces.close())
    if (!owner.setupDone) await makeFirstSample(database, workspaces, owner.id)
    const executing = await createRuns({
      ...{ config, directory, database, events, blobs, releaseBlobs, workspaces, log, serverId, port },
      waitingMb: (teamId) => unusedBlobs.waitingMb(teamId),
      packagesKey: deriveKey(secretKey, 'package sets'),
      // an agent's code holds what its definition names, which agents bind themselves
      bindMore: (run) => (run.startedBy?.kind === 'agent' ? {} : bindTools(run)),
    })
    closers.push(() => executing.close())
    const { sandboxes } = executing
    await recoverSandboxes(database, serverId, log)
    await recoverTurns(database, serverId, log)
    const { egress, shells } = executing
    const models = createModels({ database, events, keyRing, egress, settings: config.models })
    const { leaseSeconds } = config
    const schemaChecks = createSchemaChecks()
    closers.push(() => schemaChecks.close())
    const mcpServers = createMcpServers({
      ...{ database, events, keyRing, egress, sandboxes, publicUrl },
      checks: schemaChecks,
    })
    await moveToolFiles(database, blobs)
    const registry = createRegistry({
      ...{ database, events, workspaces, blobs, releaseBlobs },
      findNeeds: (teamId, definition) =>
        findNeeds({ database, models, workspaces, mcp: mcpServers }, teamId, definition),
      changed: followAgent,
      toolChanged: followTool,
    })
    const tools = createTools({
      ...{ registry, workspaces, runs: executing.runs, packages: executing.packages },
      ...{ checks: schemaChecks, publicUrl, database, keyRing, egress, models },
      readArtifact: (teamId, id) => artifacts.get(teamId, id),
    })
    const bindTools = tools.bindTools()
    const agents = createAgents({
      ...{ database, events, log, models, workspaces, serverId, publicUrl, leaseSeconds },
      ...{ egress, shells, runs: executing.runs, sandboxes, attachments: executing.attachments },
      registry,
      callTool: tools.call,
      bindTools: tools.bindTools,
      mcp: mcpServers,
      readDelivery: (thread) => readDeliveryText(database, thread),
    })
    const triggers = new Triggers({
      ...{ database, events, log, keyRing, workspaces, publicUrl, leaseSeconds },
      turns: agents.turns,
      tools,
    })
    const artifacts = createArtifacts({ database, events, runs: executing.runs, agents, workspaces })
    const previewLinks = createPreviewLinks({ key: deriveKey(secretKey, 'preview links'), publicUrl })
    const guard = createAnswerGuard({ log })
    closers.push(guard.close)
    const sendMail = config.mail && createMailer(config.mail, log)
    const access = createAccess({
      ...{ database, events, blobs, keyRing, signIn, sendMail, publicUrl, log },
      // what strangers name is as foreign as what teams name
      fetchDocument: egress.fetchFor(teamRules({ allow: 'any' })),
    })
    const mcp = createMcpDoor({
      ...{ version, events, identifyCaller, publicUrl, log },
      tellServers: (event) => events.publish(event),
      shelves: createShelves({
        ...{ registry, tools, runs: executing.runs, sandboxes, sandboxFiles: executing.sandboxFiles },
        ...{ workspaces, agents, publicUrl },
      }),
    })
    const api: Api = {
      version,
      access,
      runs: executing.runs,
      registry,
      tools,
      mcpServers,
      agents,
      models,
      help: createHelp({ database, keyRing, models }),
      triggers,
      artifacts,
      shares: createShares({
        ...{ database, events, runs: executing.runs, publicUrl },
        ...{ threads: agents.threads, files: workspaces.files },
      }),
      executions: createExecutions({ database, runs: executing.runs, sandboxVerbs: executing.sandboxVerbs, agents }),
      search: createSearch({ database, registry, access }),
      inbox: createInbox({ database, events }),
      variables: createVariables({
        ...{ database, events, workspaces },
        findAgent: (teamId, name) => registry.agents.get(teamId, name),
        findTool: (teamId, name) => registry.tools.get(teamId, name),
      }),
      workspaces,
      workspaceGit: new WorkspaceGit({ database, blobs, keyRing, workspaces, egress: executing.egress }),
      sandboxes,
      sandboxVerbs: executing.sandboxVerbs,
      notebooks: executing.notebooks,
      sandboxFiles: executing.sandboxFiles,
      attachments: executing.attachments,
      templates: executing.templates,
      packages: executing.packages,
      buildTemplate: executing.buildTemplate,
      previews: previewLinks,
      mcp,
      signIn,
      identifyCaller,
      limitRate: createRateLimiter({ burst: config.requestsPerSecond * 4, perSecond: config.requestsPerSecond }),
      sendsMail: sendMail !== undefined,
      oidc: config.oidc,
      answers: guard,
      log,
      publicUrl,
      trustProxy: config.trustProxy,
      health: () => describeHealth(executing.runs, version),
      studioDirectory,
    }
    const app = createApp(api)
    const eventSocket = createEventSocket({ events, identifyCaller, publicUrl, log })
    const terminals = createTerminalSocket({ sandboxes, events, identifyCaller, publicUrl, log })
    const languageSocket = createLanguageSocket({
      ...{ languageServers: executing.languageServers, workspaces, events, identifyCaller, publicUrl, log },
    })
    const sync = createSyncSocket({ workspaces, artifacts, events, identifyCaller, publicUrl, log })
    const standing = createStanding(database, events)
    const previews = createPreviews({
      links: previewLinks,
      ...{ sandboxes, identifyCaller, standing, publicUrl, log },
      trustProxy: config.trustProxy,
    })
    // requests under way still need everything below; open sockets and long runs would keep the drain waiting
    closers.push(async () => {
      eventSocket.close()
      terminals.close()
      languageSocket.close()
      sync.close()
      previews.close()
      await Promise.all([mcp.close(), artifacts.close()])
      await Promise.all([
        drain(http, log),
        triggers
          .close()
          .then(() => agents.close())
          // what runs in sandboxes goes before they do
          .then(() => mcpServers.close())
          .then(() => executing.languageServers.close())
          .then(() => executing.runs.close())
          .then(() => sandboxes.close()),
      ])
    })

    const answerApp = getRequestListener(app.fetch, { overrideGlobalObjects: false })
    // before the app: pages of sandboxes get none of its cookies, headers or routes
    answer = async (request, response) => {
      if (!guard.admits(request, response)) return
      await (previews.takes(request) ? previews.answer(request, response) : answerApp(request, response))
    }
    http.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy())
      const path = request.url?.split('?', 1)[0]
      if (path === eventSocket.path) void eventSocket.upgrade(request, socket, head)
      else if (terminals.takes(path)) void terminals.upgrade(request, socket, head)
      else if (languageSocket.takes(path)) void languageSocket.upgrade(request, socket, head)
      else if (sync.takes(path)) void sync.upgrade(request, socket, head)
      else if (path?.startsWith('/preview/')) void previews.upgrade(request, socket, head)
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    })

    closers.push(startMemoryRest().stop)
    if (config.warm) {
      void executing.warm().catch((error: unknown) => log.error({ error }, 'the runtimes could not be warmed'))
    }
    const { token } = await database.transaction({}, (transaction) =>
      createOneTimeLink(transaction, 'sign-in', owner.id),
    )
    return { url, signInLink: `${publicUrl}/link/${token}`, stop }
  }
}

/** At the very first start, and until someone has settled in. */
async function makeFirstSample(database: Database, workspaces: Workspaces, ownerId: string): Promise<void> {
  const [team] = await listTeamsOf(database, ownerId)
  if (team) await makeSample(workspaces, { teamId: team.id, owner: { id: ownerId, name: 'Owner' } })
}

/** The port is open before the store is: whoever calls this early is told to come again. */
async function answerStarting(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
  response.end('{"error":{"code":"unavailable","message":"Coherex is starting: try again in a second"}}')
}

function describeHealth(runs: Runs, serverVersion: string): Health {
  const runtimes = runs.runtimes()
  return {
    status: runtimes.some((one) => one.available) ? 'ok' : 'degraded',
    version: serverVersion,
    runtimes: runtimes.map(({ name, available, reason }) => ({ name, available, ...(reason ? { reason } : {}) })),
    languages: languages.map((language) => {
      const { available, reason, install } = runs.language(language)
      return { language, available, ...(reason ? { reason } : {}), ...(install ? { install } : {}) }
    }),
  }
}

async function listen(http: Server, { host, port }: Config): Promise<number> {
  // slow clients do not hold a connection for ever; streams of ours are not bound by these
  http.headersTimeout = 15_000
  http.requestTimeout = 300_000
  // longer than what proxies keep, so that they never send into a connection we are closing
  http.keepAliveTimeout = 75_000
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is taken on ${host}: stop what uses it, or set PORT`)
    if (error.code === 'EACCES')
      throw new StartError(`Port ${port} may only be opened by root: set PORT to one above 1023`)
    if (error.code === 'EADDRNOTAVAIL')
      throw new StartError(`This machine has no address ${host}: set HOST to one it has`)
    throw error
  })
  return (http.address() as { port: number }).port
}

async function drain(http: Server, log: Log): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  const idle = setInterval(() => http.closeIdleConnections(), 100)
  const timer = setTimeout(() => {
    log.warn('requests were cut off after half a minute')
    http.closeAllConnections()
  }, drainDeadlineMs)
  await closed
  clearInterval(idle)
  clearTimeout(timer)
}
