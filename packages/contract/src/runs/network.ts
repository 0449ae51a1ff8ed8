import { z } from 'zod'
import { text } from '../wire/text.ts'

// a star in a path would be taken as written and match nothing, without a word
const urlPrefix = text()
  .min(1)
  .max(2000)
  .regex(
    /^[^*]*$/,
    'There are no wildcards: https://host/v1/ stands for all below it, https://host/ for the whole host',
  )

/** What code may reach: URL prefixes. Which of them can be one is the server's to say. */
export const network = z.strictObject({ allow: z.array(urlPrefix).max(100) })
