import { z } from 'zod'
import { lineOfText } from '../access/people.ts'
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
  limits: z
    .strictObject({
      memoryMb: z.number().int().min(64).max(largestSandbox.memoryMb).optional(),
      diskMb: z.number().int().min(16).max(largestSandbox.diskMb).optional(),
    })
    .optional(),
  network: network.optional(),
  env: variables.optional(),
})
export type SandboxRequest = z.infer<typeof sandboxRequest>

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
  sessions: z.array(sandboxSession),
  /** Of all its processes, where the machine can tell. */
  memory: z.object({ currentMb: z.number(), peakMb: z.number() }).nullable(),
  /** What is kept of its files and comes back after it slept. */
  saved: z.object({ files: z.number().int(), bytes: z.number(), leftOut: z.number().int() }),
  /** Something its users should know, such as that variables are gone. */
  notice: z.string().nullable(),
})
export type Sandbox = z.infer<typeof sandbox>

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
export type TerminalEvent = { type: 'exit'; code: number | null; signal: string | null }

export const previewLink = z.object({ url: z.string(), expiresAt: moment, shared: z.boolean() })

export const templateRequest = z.strictObject({
  name: templateName,
  description: text().max(500).optional(),
  /** Python packages, as pip names them, from what the build may reach. */
  packages: z
    .array(text().regex(/^[A-Za-z0-9][\w.,<>=!~[\] -]{0,200}$/, 'not a package'))
    .max(100)
    .optional(),
  /** Files put into the home directory of each sandbox made from it. */
  files: namedRecord(filePath, text())
    .refine((files) => Object.keys(files).length <= 500, 'at most 500 files')
    .optional(),
  /** A line for bash, run in the background when a sandbox of it opens. */
  start: text().min(1).max(10_000).optional(),
  /** A package index other than PyPI, such as the operator's mirror. */
  index: text()
    .max(2000)
    .pipe(z.url({ protocol: /^https?$/ }))
    .optional(),
  /** What the build may reach, such as the package index. */
  network: network.optional(),
})
export type TemplateRequest = z.infer<typeof templateRequest>

export const template = z.object({
  name: z.string(),
  version: z.number().int(),
  description: z.string(),
  packages: z.array(z.string()),
  files: z.array(z.string()),
  start: z.string().nullable(),
  /** Of what its packages take. */
  bytes: z.number(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: moment,
})
export type Template = z.infer<typeof template>
