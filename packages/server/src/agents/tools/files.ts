import { CoherexError, type Author, type ChangeResult } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { z } from 'zod'
import type { Workspaces } from '../../workspaces/index.ts'
import { findReadVersion, type FileTrace } from '../turn/read-versions.ts'
import { defineTool, type AgentTool, type ToolContext, type ToolOutput } from '../turn/tool.ts'
import { recordChange } from './record-change.ts'

const path = z.string().min(1).max(1024).describe('Relative to the workspace, such as src/main.py')
const mostListed = 500
const mostLines = 2_000
const mostFound = 200

/**
 * Files of the thread's workspace. What the agent read is remembered for the turn: an edit is merged with what people
 * typed since, and where both touched the same lines it becomes a proposal that a person decides.
 */
export function fileTools(workspaces: Workspaces, history: () => Promise<readonly UIMessage[]>): AgentTool[] {
  const { files } = workspaces
  const read = new Map<string, number>()

  /** A program that is run again makes no call twice: what its calls gave is remembered from that. */
  function recall(data: unknown): void {
    const { read: seen, change } = (data ?? {}) as FileTrace
    if (seen) read.set(seen.path, seen.version)
    if (change) read.set(change.path, change.after)
  }

  /** The version at which this turn last knew a file; one that rested looks it up in what it has said so far. */
  async function readVersionOf(at: string): Promise<number | undefined> {
    const known = read.get(at)
    if (known !== undefined) return known
    const last = (await history()).at(-1)
    return last?.role === 'assistant' ? findReadVersion(last.parts, at) : undefined
  }

  return [
    defineTool({
      name: 'read_file',
      description: 'Reads a text file of the workspace, with line numbers',
      input: z.strictObject({
        path,
        from: z.number().int().min(1).default(1).describe('First line'),
        lines: z.number().int().min(1).max(mostLines).default(mostLines),
      }),
      scope: 'read',
      isReadOnly: true,
      recall,
      async run(input, context) {
        const file = await files.read(nameOf(context), input.path)
        if (file.kind === 'blob') return { text: `${input.path} is no text: ${file.size} bytes` }
        read.set(input.path, file.version)
        const all = String(file.body).split('\n')
        const shown = all.slice(input.from - 1, input.from - 1 + input.lines)
        const numbered = shown.map((line, index) => `${input.from + index}\t${line}`)
        const left = all.length - (input.from - 1) - shown.length
        return {
          text: left > 0 ? `${numbered.join('\n')}\n… ${left} more lines` : numbered.join('\n'),
          data: { read: { path: input.path, version: file.version } },
        }
      },
    }),
    defineTool({
      name: 'write_file',
      description:
        'Writes a whole text file; one that is there must have been read before. Prefer edit_file for changes',
      input: z.strictObject({ path, content: z.string().max(1_000_000) }),
      scope: 'write',
      isReadOnly: false,
      recall,
      async run(input, context) {
        const name = nameOf(context)
        const { items } = await files.list(name, { globs: [input.path] })
        const readVersion = await readVersionOf(input.path)
        // a name with a star in it matches others too
        if (items.some((one) => one.path === input.path) && readVersion === undefined) {
          throw new CoherexError('conflict', `${input.path} is there already: read it first`)
        }
        const bytes = [Buffer.from(input.content)]
        const result = await files.write(name, { path: input.path, bytes, author: authorOf(context), readVersion })
        return told(input.path, result, { done: 'written', context, since: readVersion })
      },
    }),
    defineTool({
      name: 'edit_file',
      description: 'Replaces one piece of text in a file; `search` must occur exactly once',
      input: z.strictObject({ path, search: z.string().min(1).max(200_000), replace: z.string().max(500_000) }),
      scope: 'write',
      isReadOnly: false,
      recall,
      async run(input, context) {
        const edit = { ...input, author: authorOf(context), readVersion: await readVersionOf(input.path) }
        return told(input.path, await files.edit(nameOf(context), edit), {
          done: 'edited',
          context,
          since: edit.readVersion,
        })
      },
    }),
    defineTool({
      name: 'list_files',
      description: 'Lists files of the workspace',
      input: z.strictObject({ glob: z.string().min(1).max(200).default('**').describe('Such as src/**/*.ts') }),
      scope: 'read',
      isReadOnly: true,
      async run({ glob }, context) {
        const { items } = await files.list(nameOf(context), { globs: [glob] })
        if (items.length === 0) return { text: 'There are no such files.' }
        const shown = items.slice(0, mostListed).map((file) => `${file.path}\t${file.size} bytes`)
        const left = items.length - shown.length
        return { text: left > 0 ? `${shown.join('\n')}\n… ${left} more` : shown.join('\n') }
      },
    }),
    defineTool({
      name: 'search_files',
      description: 'Finds text in the files of the workspace, as a word or a regular expression (RE2)',
      input: z.strictObject({
        query: z.string().min(1).max(500),
        isRegex: z.boolean().default(false),
        glob: z.string().min(1).max(200).optional(),
      }),
      scope: 'read',
      isReadOnly: true,
      async run({ query, isRegex, glob }, context) {
        const globs = glob === undefined ? {} : { globs: [glob] }
        const request = { pattern: query, isRegex, matchCase: false, most: mostFound, ...globs }
        const found = await files.search(nameOf(context), request)
        if (found.items.length === 0) return { text: 'Nothing was found.' }
        const lines = found.items.map((match) => `${match.path}:${match.line}: ${match.text}`)
        return { text: found.truncated ? `${lines.join('\n')}\n… there is more` : lines.join('\n') }
      },
    }),
    defineTool({
      name: 'move_file',
      description: 'Moves or renames a file or folder of the workspace',
      input: z.strictObject({ from: path, to: path }),
      scope: 'write',
      isReadOnly: false,
      async run(input, context) {
        const result = await files.move(nameOf(context), { ...input, author: authorOf(context) })
        return told(input.to, result, { done: 'moved', context, from: input.from })
      },
    }),
    defineTool({
      name: 'delete_file',
      description: 'Deletes a file or folder of the workspace; earlier versions keep it',
      input: z.strictObject({ path }),
      scope: 'write',
      isReadOnly: false,
      async run(input, context) {
        const result = await files.remove(nameOf(context), { ...input, author: authorOf(context) })
        return told(input.path, result, { done: 'deleted', context })
      },
    }),
  ]

  async function told(
    at: string,
    { version, proposal }: ChangeResult,
    {
      done,
      context,
      since = 0,
      from,
    }: { done: string; context: ToolContext; since?: number | undefined; from?: string },
  ): Promise<ToolOutput> {
    if (proposal) {
      const text = `Not ${done} yet: a person changed the same lines of ${at} since you read them. They see your change as a proposal and decide. Read the file again before you go on.`
      return { text, data: { proposalId: proposal.id, diff: proposal.diff } }
    }
    read.set(at, version)
    const made = { path: at, from, version, author: context.agent.name }
    const change = version > since ? await recordChange(workspaces, nameOf(context), made) : undefined
    return { text: `${at} is ${done} (version ${version}).`, ...(change && { data: { change } }) }
  }
}

export function nameOf({ caller, workspaceId }: ToolContext): { teamId: string; workspaceId: string } {
  if (!workspaceId) throw new CoherexError('conflict', 'This thread has no workspace, so there are no files')
  return { teamId: caller.teamId, workspaceId }
}

export function authorOf({ agent, caller, turnId }: ToolContext): Author {
  return { kind: 'agent', id: agent.name, name: `${agent.name} for ${caller.person.name}`, door: 'agent', turnId }
}
