import { CoherexError, routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'

const { openai: route } = routes

/** Vectors of texts for clients that speak OpenAI's Embeddings. */
export function mountEmbeddings(app: Hono<Env>, api: Api): void {
  const { models } = api

  mount(app, api, route.embeddings, async ({ body, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { signal } = context.req.raw
    await requireModel(teamId, body.model)
    const dimensions = body.dimensions ?? undefined
    const { vectors, tokens } = await models.embed(teamId, { texts: body.input, dimensions, signal })
    const write = body.encoding_format === 'base64' ? toBase64 : (vector: number[]) => vector
    return {
      object: 'list' as const,
      data: vectors.map((vector, index) => ({ object: 'embedding' as const, index, embedding: write(vector) })),
      model: body.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }
  })

  /** With its provider, or as the provider itself calls it. */
  async function requireModel(teamId: string, asked: string): Promise<void> {
    const set = await models.findEmbeddingModel(teamId)
    if (set !== null && (asked === set || asked === set.slice(set.indexOf('/') + 1))) return
    const message =
      set === null
        ? 'No embedding model is set: an admin chooses one under Settings, Models, or the operator sets COHEREX_EMBEDDING_MODEL'
        : `The model "${asked}" does not exist: the embedding model is "${set}"`
    throw new CoherexError('not_found', message, { details: [{ field: 'model', message }] })
  }
}

/** 32 bits for each number, lowest byte first. */
function toBase64(vector: number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}
