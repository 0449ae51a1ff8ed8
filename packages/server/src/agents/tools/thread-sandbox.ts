import { and, eq } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import type { Attachments, Sandboxes } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { isInSkillsPlace } from '../skills/lay-out-skill.ts'
import { threadTable } from '../threads/tables.ts'
import { selectThread } from '../threads/thread-store.ts'
import type { ToolContext } from '../turn/tool.ts'

export interface ThreadSandboxDeps {
  database: Database
  sandboxes: Sandboxes
  workspaces: Workspaces
  attachments: Pick<Attachments, 'layOut'>
}

/** What a thread's sandbox is made for. */
export type SandboxUse = Pick<ToolContext, 'caller' | 'agent' | 'threadId' | 'workspaceId'>

/** What of a workspace a sandbox has: the content hash of each file it was given. */
type LaidOut = Map<string, string>

/** One sandbox for each thread, made at its first use, with the workspace's files as they are at each use. */
export function createThreadSandboxes({ database, sandboxes, workspaces, attachments }: ThreadSandboxDeps) {
  // forgotten with the process: then every file is laid out once more
  const laidOut = new Map<string, LaidOut>()

  // an agent and several people may be the first at once
  const finding = new Map<string, Promise<string>>()

  function findOnce(use: SandboxUse): Promise<string> {
    const under = finding.get(use.threadId)
    if (under) return under
    const found = findOrCreate(use).finally(() => finding.delete(use.threadId))
    finding.set(use.threadId, found)
    return found
  }

  async function findOrCreate({ caller, agent, threadId, workspaceId }: SandboxUse): Promise<string> {
    const { teamId } = caller
    const thread = await database.transaction({ team: teamId }, (transaction) =>
      selectThread(transaction, teamId, threadId),
    )
    const before = thread.sandboxId === null ? 'gone' : await whereIs(teamId, thread.sandboxId)
    if (before === 'here' && thread.sandboxId !== null) return thread.sandboxId
    const { network, packages } = agent.definition
    const name = `Thread of ${agent.name}`
    const { id } =
      before === 'elsewhere' && thread.sandboxId !== null
        ? await sandboxes.fork(caller, thread.sandboxId, name)
        : await sandboxes.create(
            caller,
            { name, ...(network && { network }), ...(packages && { packages }) },
            { workspaceId, agentName: agent.name, threadId },
          )
    await database.transaction({ team: teamId }, (transaction) =>
      transaction
        .update(threadTable)
        .set({ sandboxId: id })
        .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, threadId))),
    )
    return id
  }

  /** A sandbox lives in one server process: in another, which may be gone, the thread goes on with a copy of its files. */
  async function whereIs(teamId: string, id: string): Promise<'here' | 'elsewhere' | 'gone'> {
    const found = await sandboxes.get(teamId, id).catch(() => undefined) // it was deleted: the thread gets another
    if (!found || found.status === 'ended') return 'gone'
    return found.status === 'running' && !sandboxes.awake(teamId, id) ? 'elsewhere' : 'here'
  }

  /** Files that people or the agent changed in the workspace since the sandbox was used last. */
  async function layOut(context: SandboxUse, sandboxId: string): Promise<void> {
    const { caller, workspaceId } = context
    if (workspaceId === null) return
    const name = { teamId: caller.teamId, workspaceId }
    const before = laidOut.get(sandboxId) ?? new Map<string, string>()
    const listed = await workspaces.files.list(name)
    // approved skills are there: a file of a workspace never takes the place of one
    const items = listed.items.filter(({ path }) => !isInSkillsPlace(path))
    const changed = items.filter(({ path, hash }) => before.get(path) !== hash)
    const removed = [...before.keys()].filter((path) => !items.some((file) => file.path === path))
    if (changed.length > 0 || removed.length > 0) {
      await sandboxes.use(caller.teamId, sandboxId, async ({ inside }) => {
        for (const path of removed) await inside.files.remove(path).catch(() => undefined) // code removed it already
        for (const { path } of changed) {
          const { body } = await workspaces.files.read(name, path)
          await inside.files.write(path, Buffer.isBuffer(body) ? toChunks(body) : body)
        }
      })
    }
    laidOut.set(sandboxId, new Map(items.map(({ path, hash }) => [path, hash])))
  }

  return {
    async sandboxOf(context: SandboxUse): Promise<string> {
      const id = await findOnce(context)
      await layOut(context, id)
      await attachments.layOut(context.caller.teamId, context.threadId, id)
      return id
    },
  }
}

async function* toChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
