import type { ToolDefinition } from '@coherex/contract'
import type { Blobs } from '../../base/index.ts'
import { filesInBlobs } from '../definition/folder-files.ts'
import { folderKind } from '../definition/folder-kind.ts'
import type { Folder } from '../definition/folder.ts'
import { findNamedTools } from './find-named-tools.ts'
import {
  toolFileTable,
  toolTable,
  toolVersionTable,
  type ToolRow,
  type ToolSchema,
  type ToolVersionRow,
} from './tool-tables.ts'

export interface ToolFolder {
  files: Folder
  definition: ToolDefinition
  input: ToolSchema
  output: ToolSchema
  /** Of its packages. */
  lock: string | null
}

export const createToolKind = (blobs: Pick<Blobs, 'put' | 'read'>) =>
  folderKind<ToolRow, ToolVersionRow, ToolFolder>({
    noun: 'tool',
    heads: toolTable,
    versions: toolVersionTable,
    files: filesInBlobs(toolFileTable, blobs),
    // a version waits until it is published, and most are tried before
    limits: { ofTeam: 1_000, proposals: Infinity, proposalsOfTeam: Infinity },
    toColumns: ({ files, definition, input, output, lock }) => ({
      ...{ definition, inputSchema: input, outputSchema: output, lock },
      uses: findNamedTools(files),
    }),
    toContent: ({ definition, inputSchema, outputSchema, lock }, files) => ({
      ...{ files, definition, lock },
      ...{ input: inputSchema, output: outputSchema },
    }),
  })

export type ToolKind = ReturnType<typeof createToolKind>
