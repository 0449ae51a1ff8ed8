import type { Readable } from 'node:stream'
import { CoherexError, type AttachedFile, type Attachment } from '@coherex/contract'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import {
  createId,
  forEachTeam,
  type Blobs,
  type Database,
  type ReleaseBlobs,
  type Transaction,
} from '../../base/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import type { Allowances } from '../allowances.ts'
import { attachmentTable, type StoredAttachment } from '../attachment-table.ts'
import { CountedBytes, LimitReached } from '../sandboxes/files/save-files.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import { cleanName, freeName } from './clean-name.ts'
import { imageTypeOf, mostImageBytes, readHead, toText } from './read-head.ts'

export interface AttachmentsDeps {
  database: Database
  blobs: Blobs
  releaseBlobs: ReleaseBlobs
  allowances: Allowances
  workspaces: Workspaces
  sandboxes: Sandboxes
}

export type Attachments = ReturnType<typeof createAttachments>

/** What a message gets of a file: an image is part of it, anything else lies where the agent works. */
export type AttachedPart =
  | { kind: 'image'; name: string; mediaType: string; base64: string }
  | { kind: 'file'; file: AttachedFile }

const mostBytes = 100 * 1024 * 1024
/** Folders of a sandbox and of a workspace. */
const folders = { sandbox: 'files', workspace: 'uploads' } as const

/** Files that people give to a conversation. */
export function createAttachments(deps: AttachmentsDeps) {
  const { database, blobs, releaseBlobs, allowances, workspaces, sandboxes } = deps

  async function place(caller: TeamCaller, thread: AttachTarget, row: StoredAttachment): Promise<AttachedFile> {
    const { teamId } = caller
    const where = thread.workspaceId === null ? ('sandbox' as const) : ('workspace' as const)
    const isPlaced = row.threadId === thread.id && row.path !== null && row.place === where
    const path = isPlaced && row.path !== null ? row.path : await choosePath(caller, thread, row.name, where)
    if (!isPlaced && thread.workspaceId !== null) {
      const author = { kind: 'person', id: caller.person.id, name: caller.person.name, door: 'studio' } as const
      const bytes = await readBlob(teamId, row.hash)
      await workspaces.files.write({ teamId, workspaceId: thread.workspaceId }, { path, bytes, author })
    }
    await change(row, { threadId: thread.id, place: where, path })
    const head = toText(await readHead(await readBlob(teamId, row.hash)), row.size)
    return { ...describe(row), place: where, path, ...(head !== undefined && { head }) }
  }

  async function choosePath(
    { teamId }: TeamCaller,
    thread: AttachTarget,
    name: string,
    where: 'sandbox' | 'workspace',
  ): Promise<string> {
    const folder = `${folders[where]}/`
    const paths =
      thread.workspaceId === null
        ? await database.transaction({ team: teamId }, (transaction) => selectPaths(transaction, teamId, thread.id))
        : (await workspaces.files.list({ teamId, workspaceId: thread.workspaceId })).items.map(({ path }) => path)
    const taken = paths.flatMap((path) => (path.startsWith(folder) ? path.slice(folder.length) : []))
    return `${folder}${freeName(name, taken)}`
  }

  async function readBlob(teamId: string, hash: string): Promise<Readable> {
    const body = await blobs.read(teamId, hash)
    if (!body) throw new CoherexError('not_found', 'The attached file is gone: attach it again')
    return body
  }

  async function change(row: StoredAttachment, values: Partial<StoredAttachment>): Promise<void> {
    await database.transaction({ team: row.teamId }, (transaction) =>
      transaction.update(attachmentTable).set(values).where(isOne(row)),
    )
  }

  return {
    /** Keeps the bytes of a file until its message is said, a day at the most. */
    async upload(
      caller: TeamCaller,
      { name, mediaType }: { name: string; mediaType: string | undefined },
      chunks: AsyncIterable<Uint8Array>,
    ): Promise<Attachment> {
      const { teamId } = caller
      const { quotas, storedMb } = await allowances.of(teamId)
      const roomBytes = Math.max(0, (quotas.storageMb - storedMb) * 1024 * 1024)
      const counted = new CountedBytes(chunks, Math.min(mostBytes, roomBytes))
      const hash = await blobs.put(teamId, counted).catch((error: unknown) => {
        if (!(error instanceof LimitReached)) throw error
        if (roomBytes < mostBytes) {
          throw new CoherexError('quota_exceeded', `The team's storage of ${quotas.storageMb} MB is full`)
        }
        throw new CoherexError('too_large', `A file of a message may have ${mostBytes / 1024 / 1024} MB`)
      })
      // where no row comes to name them
      releaseBlobs(teamId, [hash])
      const [row] = await database.transaction({ team: teamId }, (transaction) =>
        transaction
          .insert(attachmentTable)
          .values({
            teamId,
            id: createId('attachment'),
            personId: caller.person.id,
            name: cleanName(name),
            mediaType: plainType(mediaType),
            size: counted.size,
            hash,
          })
          .returning(),
      )
      await allowances.count(teamId, { seconds: 0, bytes: counted.size })
      if (!row) throw new Error('an attachment was not stored')
      return describe(row)
    },

    /** The bytes: its uploader's until the message is said, then for whoever sees the thread. */
    async read(caller: TeamCaller, id: string): Promise<{ file: Attachment; body: Readable }> {
      const { teamId, person } = caller
      const [row] = await database.transaction({ team: teamId }, (transaction) => selectRows(transaction, teamId, [id]))
      if (!row || (row.threadId === null && row.personId !== person.id)) throw noSuchFile()
      return { file: describe(row), body: await readBlob(teamId, row.hash) }
    },

    /** Puts files where the agent of a thread finds them, in this order. Said again, it changes nothing. */
    async attach(caller: TeamCaller, thread: AttachTarget, ids: readonly string[]): Promise<AttachedPart[]> {
      const { teamId, person } = caller
      const rows = await database.transaction({ team: teamId }, (transaction) =>
        selectRows(transaction, teamId, [...ids]),
      )
      const parts: AttachedPart[] = []
      for (const id of ids) {
        const row = rows.find((one) => one.id === id)
        if (!row || row.personId !== person.id || (row.threadId !== null && row.threadId !== thread.id))
          throw noSuchFile()
        const imageType = imageTypeOf(await readHead(await readBlob(teamId, row.hash)))
        if (imageType && row.size <= mostImageBytes) {
          const base64 = (await (await readBlob(teamId, row.hash)).toArray()) as Buffer[]
          await change(row, { threadId: thread.id })
          parts.push({
            kind: 'image',
            name: row.name,
            mediaType: imageType,
            base64: Buffer.concat(base64).toString('base64'),
          })
        } else parts.push({ kind: 'file', file: await place(caller, thread, row) })
      }
      return parts
    },

    /** Brings what was attached into the sandbox of a thread, once. */
    async layOut(teamId: string, threadId: string, sandboxId: string): Promise<void> {
      const rows = await database.transaction({ team: teamId }, (transaction) =>
        transaction
          .select()
          .from(attachmentTable)
          .where(
            and(
              eq(attachmentTable.teamId, teamId),
              eq(attachmentTable.threadId, threadId),
              eq(attachmentTable.place, 'sandbox'),
              sql`${attachmentTable.laidIn} IS DISTINCT FROM ${sandboxId}`,
            ),
          ),
      )
      if (rows.length === 0) return
      await sandboxes.use(teamId, sandboxId, async ({ inside }) => {
        for (const row of rows) {
          // a copy of the sandbox has it, and the agent may have changed it there
          if (row.path !== null && !(await inside.files.stat(row.path))) {
            await inside.files.write(row.path, await readBlob(teamId, row.hash))
          }
        }
      })
      for (const row of rows) await change(row, { laidIn: sandboxId })
    },
  }
}

/** Forgets what was uploaded and never said, and what belonged to threads that are gone. */
export async function pruneAttachments(database: Database, releaseBlobs: ReleaseBlobs): Promise<void> {
  const before = new Date(Date.now() - 24 * 60 * 60_000)
  await forEachTeam(database, async (teamId) => {
    const gone = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      transaction
        .delete(attachmentTable)
        .where(
          and(
            eq(attachmentTable.teamId, teamId),
            isNull(attachmentTable.threadId),
            lt(attachmentTable.createdAt, before),
          ),
        )
        .returning({ hash: attachmentTable.hash }),
    )
    if (gone.length > 0)
      releaseBlobs(
        teamId,
        gone.map(({ hash }) => hash),
      )
  })
}

interface AttachTarget {
  id: string
  workspaceId: string | null
}

const isOne = ({ teamId, id }: StoredAttachment) => and(eq(attachmentTable.teamId, teamId), eq(attachmentTable.id, id))

function selectRows(transaction: Transaction, teamId: string, ids: string[]): Promise<StoredAttachment[]> {
  return transaction
    .select()
    .from(attachmentTable)
    .where(and(eq(attachmentTable.teamId, teamId), or(inArray(attachmentTable.id, ids))))
}

async function selectPaths(transaction: Transaction, teamId: string, threadId: string): Promise<string[]> {
  const rows = await transaction
    .select({ path: attachmentTable.path })
    .from(attachmentTable)
    .where(and(eq(attachmentTable.teamId, teamId), eq(attachmentTable.threadId, threadId)))
  return rows.flatMap(({ path }) => path ?? [])
}

function describe({ id, name, mediaType, size }: StoredAttachment): Attachment {
  return { id, name, mediaType, size }
}

/** What a browser says of it; anything else is bytes. */
function plainType(type: string | undefined): string {
  const plain = type?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return plain.length <= 100 && /^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/.test(plain) ? plain : 'application/octet-stream'
}

const noSuchFile = () => new CoherexError('not_found', 'There is no such attachment: attach the file again')
