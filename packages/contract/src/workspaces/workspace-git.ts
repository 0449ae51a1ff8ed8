import { z } from 'zod'
import { secretName } from '../access/secrets.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { author, workspace } from './workspace.ts'

/** A name as git takes it for a branch. */
export const gitBranch = text()
  .min(1)
  .max(200)
  .regex(
    // oxlint-disable-next-line no-control-regex -- git refuses them in names
    /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\u0000-\u0020\u007f~^:?*[\\]+(?<![/.])$/,
    'must be a name that git takes for a branch',
  )

/** Where a repository is and how to get in. */
export const gitPlace = z.strictObject({
  url: text().min(1).max(2000).describe('https:// or http://, without a token in it'),
  secret: secretName.optional().describe('The name of the team’s secret that holds a token for it'),
  username: text()
    .regex(/^[\w.@+-]{1,100}$/)
    .optional()
    .describe('What to say beside the token; most hosts take any name'),
})

/** What became of a repository's last commit. */
export const gitImport = z.object({
  /** The workspace's version after it. */
  version: z.number().int(),
  commit: z.string(),
  /** null for a tag. */
  branch: z.string().nullable(),
  /** Of the commit. */
  files: z.number().int(),
  /** Links and submodules, which a workspace cannot hold. A push keeps them. */
  leftOut: z.array(z.object({ path: z.string(), kind: z.enum(['link', 'submodule']) })),
})
export type GitImport = z.infer<typeof gitImport>

export const gitClone = z.object({ workspace, import: gitImport })

export const gitPush = z.object({
  commit: z.string(),
  branch: z.string(),
  /** How many commits were made; 0 when there was nothing new. */
  commits: z.number().int(),
  version: z.number().int(),
})
export type GitPush = z.infer<typeof gitPush>

/** A branch that a workspace was brought from or pushed to. */
export const gitRemote = z.object({
  url: z.string(),
  branch: z.string(),
  /** What is the same here and there. */
  commit: z.string(),
  version: z.number().int(),
  secret: z.string().nullable(),
  username: z.string().nullable(),
  at: moment,
  by: author,
})
export type GitRemote = z.infer<typeof gitRemote>
