import { CoherexError } from '@coherex/contract'
import type { PromptMessage } from '@modelcontextprotocol/server'
import { instructionsPath, type Registry } from '../../registry/index.ts'
import { mostFileBytes, toContents } from './read-whole.ts'
import type { Shelf } from './shelf.ts'

const perPage = 100

/** Skills that a person has approved, as prompts: their instructions, their texts beside them, and what is to be done. */
export function skillPrompts({ skills }: Pick<Registry, 'skills'>): Shelf {
  return {
    async prompts({ caller }, cursor) {
      const { items, nextCursor } = await skills.list(caller.teamId, { limit: perPage, state: 'active', cursor })
      const prompts = items.map(({ name, description }) => ({
        name,
        description,
        arguments: [{ name: 'task', description: 'What is to be done with it', required: false }],
      }))
      return { items: prompts, next: nextCursor ?? undefined }
    },

    async getPrompt({ caller }, name, { task }) {
      const found = await skills.get(caller.teamId, name).catch((error: unknown) => {
        if (error instanceof CoherexError && error.code === 'not_found') return undefined
        throw error
      })
      if (found?.state !== 'active') return undefined
      const folder = await skills.content(caller.teamId, { name, version: found.current.version })
      const messages: PromptMessage[] = []
      let room = mostFileBytes
      for (const [path, content] of folder) {
        const bytes = Buffer.from(content)
        const isInstructions = path === instructionsPath
        if (!isInstructions && bytes.length > room) continue
        if (!isInstructions) room -= bytes.length
        const block = isInstructions
          ? { type: 'text' as const, text: bytes.toString('utf8') }
          : {
              type: 'resource' as const,
              resource: toContents(`coherex://skills/${name}/${encodeURI(path)}`, path, bytes),
            }
        const message: PromptMessage = { role: 'user', content: block }
        // its instructions come first
        if (isInstructions) messages.unshift(message)
        else messages.push(message)
      }
      if (task) messages.push({ role: 'user', content: { type: 'text', text: task } })
      return { description: found.description, messages }
    },
  }
}
