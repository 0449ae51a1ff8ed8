import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

export const secretName = text().regex(
  /^[A-Z][A-Z0-9_]{0,63}$/,
  'capital letters, digits and _, starting with a letter',
)

/** A secret as anyone may see it: the value never leaves the server. */
export const secret = z.object({
  id: idOf('secret'),
  name: secretName,
  /** The last characters, to tell values apart; nothing where the value is short. */
  hint: z.string(),
  updatedAt: moment,
  updatedBy: z.string(),
})
export type Secret = z.infer<typeof secret>
