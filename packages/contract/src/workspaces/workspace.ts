import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { anyText, text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { isPlainPath } from './plain-path.ts'

/** What one workspace may hold. Larger and binary files are blobs: they have versions, but nobody types in them together. */
export const workspaceLimits = {
  /** Characters of all texts together. */
  documentCharacters: 10_000_000,
  fileCharacters: 1_000_000,
  files: 10_000,
  blobBytes: 100_000_000,
} as const

/** Who made a change, and through which door it came. */
export const author = z.object({
  kind: z.enum(['person', 'agent', 'tool', 'run']),
  id: text().min(1).max(100),
  name: text().min(1).max(200),
  door: z.enum(['studio', 'api', 'cli', 'mcp', 'agent', 'run']),
  /** The turn in which an agent made the change. */
  turnId: idOf('turn').optional(),
})
export type Author = z.infer<typeof author>

export const workspaceTemplates = [
  'blank',
  'typescript-tool',
  'python-tool',
  'data-notebook',
  'agent',
  'sample',
] as const
export const workspaceTemplate = z.enum(workspaceTemplates)
export type WorkspaceTemplate = z.infer<typeof workspaceTemplate>

export const workspaceName = text()
  .trim()
  .min(1)
  .max(100)
  // oxlint-disable-next-line no-control-regex -- a name is one line
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')

export const workspace = z.object({
  id: idOf('workspace'),
  name: z.string(),
  template: workspaceTemplate,
  /** The number of its last version. */
  version: z.number().int(),
  createdBy: author,
  createdAt: moment,
  updatedAt: moment,
  archivedAt: moment.nullable(),
  /** Days that versions are kept; for ever when null. Tagged versions and the last one stay. */
  retentionDays: z.number().int().nullable(),
  /** `private` is Scratch, which its person alone sees. */
  reach: z.enum(['private', 'team']),
})
export type Workspace = z.infer<typeof workspace>

/** A path below the root of a workspace, as it is kept. */
export const workspacePath = text()
  .min(1)
  .max(1024)
  .refine(isPlainPath, 'must be a relative path with no "..", no empty part and no control characters')

export const workspaceFile = z.object({
  path: z.string(),
  /** `text` is edited together; `blob` is replaced as a whole. */
  kind: z.enum(['text', 'blob']),
  size: z.number().int(),
  /** SHA-256 of its bytes. */
  hash: z.string(),
  /** The version that changed it last. */
  version: z.number().int(),
})
export type WorkspaceFile = z.infer<typeof workspaceFile>

export const fileChange = z.object({
  path: z.string(),
  change: z.enum(['added', 'changed', 'deleted', 'moved']),
  /** Where a moved file was. */
  from: z.string().optional(),
})
export type FileChange = z.infer<typeof fileChange>

/** One change with one author: an operation, or a run of keystrokes. */
export const workspaceVersion = z.object({
  number: z.number().int(),
  author,
  /** Others who typed at the same time. */
  coauthors: z.array(author),
  message: z.string().nullable(),
  at: moment,
  /** The first hundred of its changes. */
  changes: z.array(fileChange),
  changeCount: z.number().int(),
  tags: z.array(z.string()),
})
export type WorkspaceVersion = z.infer<typeof workspaceVersion>

export const tagName = text().regex(/^[A-Za-z0-9][\w.-]{0,79}$/, 'letters, digits, ".", "_" and "-"')
export const workspaceTag = z.object({ name: tagName, version: z.number().int(), createdBy: author, createdAt: moment })
export type WorkspaceTag = z.infer<typeof workspaceTag>

/** An agent's edit that touches lines a person changed since the agent read them. */
export const proposal = z.object({
  id: idOf('proposal'),
  path: z.string(),
  author,
  message: z.string().nullable(),
  readVersion: z.number().int(),
  status: z.enum(['open', 'accepted', 'rejected']),
  /** What accepting would do to the file as it is now; what it was about, once decided. */
  diff: z.string(),
  /** Of `diff`: whoever accepts some of its hunks says which diff they saw. */
  digest: z.string(),
  createdAt: moment,
  decidedAt: moment.nullable(),
  decidedBy: author.nullable(),
  note: z.string().nullable(),
  /** The version that accepting it made. */
  version: z.number().int().nullable(),
})
export type Proposal = z.infer<typeof proposal>

/** What became of a change: a version, or a proposal that waits for a person. */
export const changeResult = z.object({
  /** The workspace's version after it. */
  version: z.number().int(),
  proposal: proposal.optional(),
})
export type ChangeResult = z.infer<typeof changeResult>

/** Half a pair of surrogates is no character, and would come back as another. */
const wholeText = anyText().refine((whole) => whole.isWellFormed(), 'must not contain half a character')

const base64 = text().refine(
  (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  'must be base64, with its padding',
)

/** A file as one of several that are written together: its text, or its bytes in base64. */
export const writtenFile = z
  .strictObject({
    path: workspacePath,
    text: wholeText.optional(),
    base64: base64.optional(),
    expectedVersion: z.number().int().min(0).optional(),
    readVersion: z.number().int().min(0).optional(),
  })
  .refine(({ text, base64: bytes }) => (text === undefined) !== (bytes === undefined), 'say either text or base64')

export const removedFile = z.strictObject({
  path: workspacePath,
  expectedVersion: z.number().int().min(0).optional(),
})

export const fileDiff = fileChange.extend({
  binary: z.boolean(),
  /** Unified; empty for binary files. */
  diff: z.string(),
})
export type FileDiff = z.infer<typeof fileDiff>

/** What a call of a tool did to one file: its versions before and after keep the rest. */
const recordedChange = fileChange.extend({
  workspaceId: idOf('workspace'),
  before: z.number().int(),
  after: z.number().int(),
  /** Lines. */
  added: z.number().int(),
  removed: z.number().int(),
})
export type RecordedChange = z.infer<typeof recordedChange>

/** What became of an undo. */
export const undoneChanges = z.object({
  /** The workspace's version after it. */
  version: z.number().int(),
  /** Files that are what they would be without the changes. */
  undone: z.array(z.string()),
  /** Files that stay as they are, and why. */
  kept: z.array(z.object({ path: z.string(), why: z.string() })),
})
export type UndoneChanges = z.infer<typeof undoneChanges>

export const textMatch = z.object({
  path: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  /** The line, cut where it is long. */
  text: z.string(),
})
export type TextMatch = z.infer<typeof textMatch>

/** What replacing did to a file, or would do. */
export const replacedFile = z.object({
  path: z.string(),
  /** How many places. */
  count: z.number().int(),
  diff: z.string(),
})
export type ReplacedFile = z.infer<typeof replacedFile>
