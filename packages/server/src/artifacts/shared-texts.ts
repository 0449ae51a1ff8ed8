import { CoherexError, kindOfFence, type SharedArtifact } from '@coherex/contract'
import type { Agents } from '../agents/index.ts'
import type { Workspaces } from '../workspaces/index.ts'

interface SharedTextsDeps {
  threads: Pick<Agents['threads'], 'get' | 'export'>
  files: Pick<Workspaces['files'], 'read'>
}

type SharedMessages = NonNullable<SharedArtifact['messages']>

const largestFile = 1_000_000
/** Of a conversation, from its end. */
const mostMessages = 500
const longestMessage = 100_000

/** Conversations and files as a share shows them. */
export function createSharedTexts({ threads, files }: SharedTextsDeps) {
  async function readFile(teamId: string, { workspaceId, path }: { workspaceId: string; path: string }) {
    const { kind, size, body } = await files.read({ teamId, workspaceId }, path)
    if (kind !== 'text' || !Buffer.isBuffer(body) || size > largestFile) {
      throw new CoherexError('invalid_input', `Cannot share "${path}": only texts of up to 1 MB are shown`)
    }
    return body.toString()
  }

  return {
    readFile,

    async findFile(teamId: string, place: { workspaceId: string; path: string }) {
      await readFile(teamId, place)
      const title = place.path.split('/').at(-1) ?? place.path
      const ending = title.includes('.') ? (title.split('.').at(-1) ?? '') : ''
      return { title, ...(kindOfFence(ending) ?? { kind: 'file' as const, language: ending || 'text' }) }
    },

    async findThread(teamId: string, id: string) {
      const { title, messages } = await threads.get(teamId, id)
      const lastMessage = messages.at(-1)?.id
      if (lastMessage === undefined) throw new CoherexError('invalid_input', 'Nothing was said in the conversation yet')
      return { title: title || 'Conversation', kind: 'thread' as const, language: 'markdown', lastMessage }
    },

    /** The branch that ends with a message. What came after it was not shared. */
    async readThread(
      teamId: string,
      { threadId, lastMessage }: { threadId: string; lastMessage: string },
    ): Promise<SharedMessages> {
      const { messages } = await threads.export(teamId, threadId)
      const byId = new Map(messages.map((message) => [message.id, message]))
      const branch: SharedMessages = []
      for (let at = byId.get(lastMessage); at && branch.length < mostMessages; at = byId.get(at.parentId ?? '')) {
        const text = at.parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : [])).join('\n\n')
        const { role, createdBy: by, createdAt } = at
        if (text.trim() !== '') branch.push({ role, by, createdAt, text: text.slice(0, longestMessage) })
      }
      if (branch.length === 0) throw new CoherexError('not_found', 'The message is gone')
      return branch.toReversed()
    },
  }
}
