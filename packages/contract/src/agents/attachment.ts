import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'

/** A file that someone gave to a conversation. */
export const attachment = z.object({
  id: idOf('attachment'),
  /** A plain file name, whatever name it came with. */
  name: text().max(255),
  mediaType: text().max(200),
  size: z.number().int(),
})
export type Attachment = z.infer<typeof attachment>

/** The same as part of a message, with where the agent finds it. */
export const attachedFile = attachment.extend({
  place: z.enum(['sandbox', 'workspace']),
  path: text().max(1_000),
  /** The first lines, of a text. */
  head: text().max(4_000).optional(),
})
export type AttachedFile = z.infer<typeof attachedFile>
