import { createHash } from 'node:crypto'
import { CoherexError } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { integer, jsonb, text } from 'drizzle-orm/pg-core'
import { unifiedDiff } from '../../workspaces/index.ts'
import type { DefinitionKind } from './definition-kind.ts'
import { headColumns, versionColumns, type HeadRow, type VersionRow } from './definition-tables.ts'
import { showHidden } from './show-hidden.ts'

/** A definition with the text it was read from. */
export interface DefinitionText<Definition> {
  source: string
  definition: Definition
}

type TextHead = HeadRow & { version: number }
type TextVersion<Definition> = VersionRow & DefinitionText<Definition>
type TextKind<Head extends TextHead, Definition> = DefinitionKind<
  Head,
  TextVersion<Definition>,
  DefinitionText<Definition>
>

/** Version 0 stands for none, or for what comes with the product. */
export const textHeadColumns = () => ({ ...headColumns(), version: integer('version').notNull() })

export const textVersionColumns = <Definition>(noun: string) => ({
  ...versionColumns({ name: `${noun}_name`, byAgent: 'by_agent' }),
  source: text('source').notNull(),
  definition: jsonb('definition').$type<Definition>().notNull(),
  turnId: text('turn_id'),
})

/** What all definitions do alike that are one text: it is kept as it was written. */
export function textKind<Head extends TextHead, Definition>(
  own: Pick<TextKind<Head, Definition>, 'noun' | 'heads' | 'versions'> & Partial<TextKind<Head, Definition>>,
): TextKind<Head, Definition> {
  return {
    // more proposals than a person would look through
    limits: { ofTeam: 1_000, proposals: 10, proposalsOfTeam: 100 },
    begin: () => ({ version: 0 }),
    inUse: ({ version }) => version,
    use: (version) => ({ version }),
    columns: ({ source, definition }, { agent }) => ({ source, definition, turnId: agent?.turnId ?? null }),
    read:
      async (_, { source, definition }) =>
      async () => ({ source, definition }),
    hasContent: ({ source }) => sql`source = ${source}`,
    diff: (name, before, after) =>
      unifiedDiff({ path: `${name}.yaml`, before: before && toVisible(before.source), after: toVisible(after.source) }),
    // no source has NUL in it
    digest: (before, after) =>
      createHash('sha256')
        .update(`${before?.source ?? ''}\0${after.source}`)
        .digest('hex'),
    admit: (_, { name }, { needs: [first, ...more] }) => {
      if (!first) return
      throw new CoherexError('conflict', `"${name}" cannot be in use yet: ${first.message}`, {
        details: [first, ...more],
      })
    },
    // what was proposed and never accepted is not brought in that way
    admitRestore: (_, { name, version, state }) => {
      if (state === 'approved' || state === 'draft') return
      throw new CoherexError('conflict', `Version ${version} of "${name}" is ${state}: it was never in use`)
    },
    ...own,
  }
}

const toVisible = (source: string): string => showHidden(source, { keepsTabs: true })
