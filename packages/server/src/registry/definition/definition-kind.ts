import type { SQL } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { HeadRow, HeadTable, VersionRow, VersionState, VersionTable } from './definition-tables.ts'

/** The agent that writes a version, and the turn it does that in. */
export interface AgentAuthor {
  name: string
  threadId: string
  turnId: string
}

export interface Need {
  message: string
}

/**
 * A kind of definition: what agents, skills and those that follow do differently. Each has a row for its name, the head,
 * and versions that never change. What agents write waits for a person.
 */
export interface DefinitionKind<Head extends HeadRow, Version extends VersionRow, Content> {
  /** As messages, the audit log and events call it. */
  noun: string
  heads: HeadTable
  versions: VersionTable
  /** How many names a team has, and how many proposals wait for a person. */
  limits: { ofTeam: number; proposals: number; proposalsOfTeam: number }

  /** Columns of a new head, beside those that every kind has. */
  begin(name: string): object
  /** The number of the version in use; 0 while there is none. */
  inUse(head: Head): number
  /** Columns of a head that puts a version in use. */
  use(version: number): object
  /** Columns of a head that say who answers for it, where its kind has them. */
  ownedBy?(person: { id: string; name: string }): object
  /** What counts while no version is in use: what comes with the product. */
  builtIn?(name: string): Content | undefined

  /** Columns of a new version, beside those that every kind has. */
  columns(content: Content, made: { caller: TeamCaller; state: VersionState; agent: AgentAuthor | undefined }): object
  /** Puts what is kept outside the database, before the transaction of the version that names it. */
  prepare?(teamId: string, content: Content): Promise<void>
  /** Stores what is no column of a version. */
  keep?(transaction: Transaction, version: Version, content: Content): Promise<void>
  /** What it answers fetches the content, once the transaction is over. */
  read(transaction: Transaction, version: Version): Promise<() => Promise<Content>>
  /** Finds versions with that very content. */
  hasContent(content: Content): SQL

  /** Bounded, and nothing in it is invisible. */
  diff(name: string, before: Content | undefined, after: Content): string | Promise<string>
  /** Of what a person has seen: a proposal, and where it matters what it was compared with. */
  digest(before: Content | undefined, after: Content): string
  /** What a proposal allows that is not allowed now, in sentences. */
  describeNewly?(before: Content | undefined, after: Content): string[]

  /** What a content still lacks in a team. */
  findNeeds?(teamId: string, content: Content): Promise<Need[]>
  /** Throws when the caller may not put this version in use. */
  admit(caller: TeamCaller, version: Version, at: { head: Head; needs: Need[] }): void
  /** Throws when the caller may not store this old version again. */
  admitRestore(caller: TeamCaller, version: Version): void
  /** Told in the transaction that puts another version in use. */
  changed?(transaction: Transaction, caller: TeamCaller, head: Head, content: Content): Promise<void>
}
