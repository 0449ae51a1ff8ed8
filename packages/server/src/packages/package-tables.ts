import type { PackageLanguage, PackagePolicy } from '@coherex/contract'
import { jsonb, pgSchema, text, timestamp } from 'drizzle-orm/pg-core'
import type { ResolvedPackage } from './package-source.ts'

const coherex = pgSchema('coherex')

export const packagePolicyTable = coherex.table('package_policy', {
  teamId: text('team_id').primaryKey(),
  policy: jsonb('policy').$type<PackagePolicy>().notNull(),
  updatedBy: text('updated_by').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

export const packageLockTable = coherex.table('package_lock', {
  teamId: text('team_id').notNull(),
  hash: text('hash').notNull(),
  language: text('language').$type<PackageLanguage>().notNull(),
  requirements: jsonb('requirements').$type<string[]>().notNull(),
  packages: jsonb('packages').$type<ResolvedPackage[]>().notNull(),
  index: text('index'),
  askedBy: text('asked_by').notNull(),
  askedByName: text('asked_by_name').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }).notNull().defaultNow(),
})
export type LockRow = typeof packageLockTable.$inferSelect

export const packageResolutionTable = coherex.table('package_resolution', {
  teamId: text('team_id').notNull(),
  key: text('key').notNull(),
  hash: text('hash').notNull(),
  resolvedAt: timestamp('resolved_at', { withTimezone: true }).notNull().defaultNow(),
})

export const packageSeenTable = coherex.table('package_seen', {
  teamId: text('team_id').notNull(),
  language: text('language').$type<PackageLanguage>().notNull(),
  name: text('name').notNull(),
  version: text('version').notNull(),
})

export const packageUseTable = coherex.table('package_use', {
  teamId: text('team_id').notNull(),
  kind: text('kind').$type<'workspace' | 'template' | 'sandbox' | 'tool'>().notNull(),
  ownerId: text('owner_id').notNull(),
  hash: text('hash').notNull(),
  name: text('name').notNull(),
})
