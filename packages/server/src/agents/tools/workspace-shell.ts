import { CoherexError, type RecordedChange } from '@coherex/contract'
import { z } from 'zod'
import type { Database } from '../../base/index.ts'
import {
  CapabilityError,
  createCapabilities,
  createWorkspaceFileSpace,
  type ShellPool,
} from '../../capabilities/index.ts'
import { readVariables, toEnv } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'
import { authorOf, nameOf } from './files.ts'
import { recordChange } from './record-change.ts'

const shellResult = z.object({ stdout: z.string(), stderr: z.string(), exitCode: z.number() })
const timeoutMs = 30_000

export interface WorkspaceShellDeps {
  database: Database
  workspaces: Workspaces
  shells: ShellPool
}

/** A shell without programs, over the workspace itself: what a command changes is written there, merged as any edit is. */
export function workspaceShellTool({ database, workspaces, shells }: WorkspaceShellDeps): AgentTool {
  return defineTool({
    name: 'workspace_shell',
    description:
      'Runs a shell command (cat, grep, sed, awk, jq, find, sort, mv …; no other programs) directly on the files of the workspace and keeps what it changes',
    input: z.strictObject({ command: z.string().min(1).max(100_000) }),
    scope: 'write',
    isReadOnly: false,
    async run({ command }, context) {
      const name = nameOf(context)
      const space = await createWorkspaceFileSpace({ workspaces, name })
      const { teamId, workspaceId } = name
      const environment = await database.transaction({ team: teamId }, (transaction) =>
        readVariables(transaction, teamId, { workspaceId, agentName: context.agent.name }),
      )
      const vars = toEnv(environment)
      const { capabilities, close } = createCapabilities({ files: space, bash: { pool: shells }, vars })
      try {
        const exec = capabilities['BASH']?.methods['exec']
        if (!exec) throw new Error('the shell was not granted')
        const answer = shellResult.parse(await exec([command, { timeoutMs }], context.signal))
        const { stdout, stderr, exitCode } = answer
        const author = authorOf(context)
        const { written, removed } = await space.changes()
        const told: string[] = []
        const changes: RecordedChange[] = []
        const note = async (path: string, version: number) => {
          const change = await recordChange(workspaces, name, { path, version, author: author.id })
          if (change) changes.push(change)
        }
        for (const { path, bytes } of written) {
          const result = await workspaces.files.write(name, {
            path,
            bytes: [bytes],
            author,
            readVersion: space.version,
          })
          if (!result.proposal) await note(path, result.version)
          told.push(
            result.proposal ? `${path}: a person decides, because they changed the same lines` : `${path}: written`,
          )
        }
        for (const path of removed) {
          const { version } = await workspaces.files.remove(name, { path, author, readVersion: space.version })
          await note(path, version)
          told.push(`${path}: deleted`)
        }
        const ending = exitCode === 0 ? [] : [`Exit code ${exitCode}`]
        const text = [stdout, stderr, ...ending, ...told].filter(Boolean).join('\n')
        return { text: text || 'It ran, and printed nothing.', ...(changes.length > 0 && { data: { changes } }) }
      } catch (error) {
        if (error instanceof CapabilityError) throw new CoherexError('invalid_input', error.message, { cause: error })
        throw error
      } finally {
        await close()
      }
    },
  })
}
