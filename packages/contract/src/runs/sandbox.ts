import { z } from 'zod'
import { lineOfText } from '../access/people.ts'
import { packageLanguage, packageLock, requirement, requirements } from '../packages/package.ts'
import { idOf } from '../wire/id.ts'
import { namedRecord } from '../wire/named-record.ts'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'
import { language } from './languages.ts'
import { network } from './network.ts'
import { filePath, variables } from './run.ts'

export const sandboxStatuses = ['running', 'sleeping', 'ended'] as const
export const sandboxStatus = z.enum(sandboxStatuses)
export type SandboxStatus = z.infer<typeof sandboxStatus>

export const largestSandbox = { memoryMb: 8192, diskMb: 4096, idleTimeoutMs: 24 * 3_600_000 } as const

const idleTimeoutMs = z.number().int().min(1000).max(largestSandbox.idleTimeoutMs)
const templateName = text().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'lower-case letters, digits and dashes')

const sandboxLimits = z.strictObject({
  memoryMb: z.number().int().min(64).max(largestSandbox.memoryMb).optional(),
  diskMb: z.number().int().min(16).max(largestSandbox.diskMb).optional(),
})

export const sandboxRequest = z.strictObject({
  name: lineOfText(80).optional(),
  /** What cells are written in that name no language. */
  language: language.optional(),
  /** `name` for its newest version, `name@3` for that one. */
  template: text()
    .regex(/^[a-z0-9][a-z0-9-]{0,59}(@[1-9]\d{0,5})?$/, 'must be the name of a template, such as data or data@3')
    .optional(),
  /** Its files are copied into the new sandbox. */
  workspaceId: idOf('workspace').optional(),
  idleTimeoutMs: idleTimeoutMs.optional(),
  limits: sandboxLimits.optional(),
  network: network.optional(),
  env: variables.optional(),
  /** By name, such as `polars>=1`: of its language, or of Python where it has none; `npm:es-toolkit@1` and `pypi:polars` say which. */
  packages: requirements.optional(),
})
export type SandboxRequest = z.infer<typeof sandboxRequest>

/** What can be changed of a sandbox. An empty allow-list takes the network away. */
export const sandboxChange = z
  .strictObject({
    name: lineOfText(80).optional(),
    network: network.nullable().optional(),
    limits: sandboxLimits.optional(),
    idleTimeoutMs: idleTimeoutMs.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
export type SandboxChange = z.infer<typeof sandboxChange>

/** Packages that a sandbox is to have as well, and names of those it is to have no more. */
export const sandboxPackagesChange = z.strictObject({
  language: packageLanguage,
  requirements: requirements.default([]),
  remove: requirements.default([]),
  /** Newer versions of what it has are wanted as well; else those stay as they are where they fit. */
  upgrade: z.boolean().optional(),
})
export type SandboxPackagesChange = z.infer<typeof sandboxPackagesChange>

const sandboxSession = z.object({
  context: z.string(),
  language,
  status: z.enum(['starting', 'idle', 'running']),
  /** Cells run since it began. */
  cells: z.number().int(),
})

export const sandbox = z.object({
  id: idOf('sandbox'),
  name: z.string(),
  status: sandboxStatus,
  /** Why it sleeps or has ended. */
  reason: z.string().nullable(),
  language: language.nullable(),
  template: z.object({ name: z.string(), version: z.number().int() }).nullable(),
  limits: z.object({ memoryMb: z.number(), diskMb: z.number() }),
  network: z.object({ allow: z.array(z.string()) }).nullable(),
  idleTimeoutMs: z.number().int(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: moment,
  lastUsedAt: moment,
  /** When it falls asleep unless someone uses it. */
  expiresAt: moment.nullable(),
  forkedFrom: idOf('sandbox').nullable(),
  /** The conversation it belongs to, whose reach it has. */
  threadId: idOf('thread').optional(),
  sessions: z.array(sandboxSession),
  /** Of all its processes, where the machine can tell. */
  memory: z.object({ currentMb: z.number(), peakMb: z.number() }).nullable(),
  /** What is kept of its files and comes back after it slept. */
  saved: z.object({ files: z.number().int(), bytes: z.number(), leftOut: z.number().int() }),
  /** The locks of its packages, one for a language. */
  packages: z.array(packageLock),
  /** pip or npm themselves have put packages among its files: those are in no lock. */
  outsideLock: z.boolean(),
  /** Something its users should know, such as that variables are gone. */
  notice: z.string().nullable(),
})
export type Sandbox = z.infer<typeof sandbox>

/** A sandbox as it was changed, and what of it takes effect only when it next wakes. */
export const changedSandbox = sandbox.extend({ atNextWake: z.array(z.enum(['limits.memoryMb', 'limits.diskMb'])) })
export type ChangedSandbox = z.infer<typeof changedSandbox>

export const sandboxFile = z.object({
  path: z.string(),
  type: z.enum(['file', 'directory', 'link']),
  size: z.number(),
  modifiedAt: moment,
  linkTarget: z.string().optional(),
})
export type SandboxFile = z.infer<typeof sandboxFile>

/** A folder of a sandbox; empty is its home directory. */
export const folderPath = z.union([z.literal(''), filePath])

export const sandboxVariable = z.object({
  name: z.string(),
  type: z.string(),
  value: z.string(),
  size: z.number().optional(),
  shape: z.array(z.number()).optional(),
})
export type SandboxVariable = z.infer<typeof sandboxVariable>

export const sandboxVariablePage = sandboxVariable.extend({
  table: z
    .object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.array(z.array(z.unknown())),
      offset: z.number().int(),
      total: z.number().int(),
    })
    .optional(),
  text: z.string().optional(),
})
export type SandboxVariablePage = z.infer<typeof sandboxVariablePage>

const terminalSize = z.strictObject({
  columns: z.number().int().min(1).max(1000),
  rows: z.number().int().min(1).max(1000),
})

export const processRequest = z.strictObject({
  /** A line for bash. */
  command: text().min(1).max(100_000),
  cwd: folderPath.optional(),
  env: variables.optional(),
  terminal: terminalSize.optional(),
})

export const processSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const
export type ProcessSignal = (typeof processSignals)[number]

export const sandboxProcess = z.object({
  pid: z.number().int(),
  command: z.string(),
  startedAt: moment,
  isTerminal: z.boolean(),
  /** The newest output, bounded. */
  recentOutput: z.array(z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() })),
  /** Absent while it runs. */
  exit: z.object({ code: z.number().int().nullable(), signal: z.string().nullable() }).optional(),
})
export type SandboxProcess = z.infer<typeof sandboxProcess>

/** What a terminal's socket says in text; everything else on it is bytes of the terminal. */
export const terminalControl = terminalSize.extend({ type: z.literal('resize') })
export type TerminalEvent =
  /** First: by this process one comes back to it. */
  { type: 'open'; process: number } | { type: 'exit'; code: number | null; signal: string | null }

export const previewLink = z.object({ url: z.string(), expiresAt: moment, shared: z.boolean() })

export const templateRequest = z.strictObject({
  name: templateName,
  description: text().max(500).optional(),
  /** By name, such as `polars>=1` of Python and `npm:es-toolkit@1`. */
  packages: z.array(requirement).max(100).optional(),
  /** Files put into the home directory of each sandbox made from it. */
  files: namedRecord(filePath, text())
    .refine((files) => Object.keys(files).length <= 500, 'at most 500 files')
    .optional(),
  /** A line for bash, run in the background when a sandbox of it opens. */
  start: text().min(1).max(10_000).optional(),
  /** A package index for its Python packages, such as the team's own: the only one that is asked. */
  index: text()
    .max(2000)
    .pipe(z.url({ protocol: /^https?$/ }))
    .optional(),
})
export type TemplateRequest = z.infer<typeof templateRequest>

export const template = z.object({
  name: z.string(),
  version: z.number().int(),
  description: z.string(),
  packages: z.array(z.string()),
  /** What they were resolved to; versions from before have none. */
  locks: z.array(packageLock),
  files: z.array(z.string()),
  start: z.string().nullable(),
  /** Of what its packages take. */
  bytes: z.number(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: moment,
})
export type Template = z.infer<typeof template>
