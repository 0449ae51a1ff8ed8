import { z } from 'zod'
import { language } from '../runs/languages.ts'
import { idOf } from '../wire/id.ts'
import { text } from '../wire/text.ts'
import { workspacePath } from '../workspaces/workspace.ts'
import { toolDefinition, toolFiles, toolName } from './tool.ts'

/** Where the files of a version come from, when they are not sent. */
const toolSource = z.union(
  [
    /** A folder, the root unless named, or one code file. Where there is no `tool.yaml`, it is made. */
    z.strictObject({ workspaceId: idOf('workspace'), path: workspacePath.optional() }),
    /** The program of a run that succeeded: its input and result are the first test. */
    z.strictObject({ runId: idOf('run') }),
    /** One code block, such as that of a message. */
    z.strictObject({ artifactId: idOf('artifact') }),
    z.strictObject({ code: text().min(1).max(1_000_000), language }),
  ],
  { error: 'must be { workspaceId, path? }, { runId }, { artifactId } or { code, language }' },
)
export type ToolSource = z.infer<typeof toolSource>

/** Either `files` or `from`. */
export const toolRequest = z.strictObject({
  files: toolFiles.optional(),
  from: toolSource.optional(),
  /** In place of what `tool.yaml` says, where it is made or given. */
  name: toolName.optional(),
  description: text().min(1).max(4_000).optional(),
  licence: text().min(1).max(100).optional(),
  ...toolDefinition.pick({ packages: true, network: true, limits: true }).shape,
  /** Of a tool that is new; the team's unless said. */
  reach: z.enum(['private', 'team']).optional(),
  note: text().max(500).default(''),
  /** Refuses when the newest version is another one; 0 when there must be none. */
  expectedVersion: z.number().int().min(0).optional(),
})
export type ToolRequest = z.infer<typeof toolRequest>
