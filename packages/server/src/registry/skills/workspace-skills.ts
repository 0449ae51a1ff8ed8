import { CoherexError, skillLimits, skillName, type WorkspaceFile, type WorkspaceSkill } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { DocumentName, Workspaces } from '../../workspaces/index.ts'
import { diffFolders } from '../definition/diff-folders.ts'
import { digestOf, digestOfHashes, type Folder } from '../definition/folder.ts'
import { parseSkill, requireSkill } from './parse-skill.ts'
import { listActiveSkills } from './skill-store.ts'
import { workspaceSkillTable } from './skill-tables.ts'

export interface WorkspaceSkillDeps {
  database: Database
  workspaces: Workspaces
}

/** Where skills are in a workspace. */
const place = 'skills'
const mostFolders = 100

type ApprovalRow = typeof workspaceSkillTable.$inferSelect

/** Every folder of `skills`, with what is wrong with it and whether agents get it. */
export async function listWorkspaceSkills(
  { database, workspaces }: WorkspaceSkillDeps,
  name: DocumentName,
): Promise<WorkspaceSkill[]> {
  await workspaces.get(name.teamId, name.workspaceId)
  const approvals = await selectApprovals(database, name)
  const folders = [...(await listFolders(workspaces, name))].slice(0, mostFolders)
  const names = folders.map(([folder]) => folder)
  const ofTeam = await listActiveSkills(database, name.teamId, { names, most: mostFolders })
  const found: WorkspaceSkill[] = []
  // one after the other: together they could be more than is good to hold
  for (const [folder, files] of folders) {
    const approval = approvals.find((one) => one.name === folder)
    const digest = digestOfHashes(files)
    const { frontMatter, problems, warnings } = await check(workspaces, name, folder, files)
    const isApproved = approval?.digest === digest
    found.push({
      name: folder,
      description: frontMatter?.description ?? null,
      state: !frontMatter ? 'invalid' : isApproved ? 'approved' : approval ? 'changed' : 'unapproved',
      isShadowed: ofTeam.some((one) => one.name === folder),
      digest,
      problems,
      warnings,
      approvedAt: approval?.approvedAt.toISOString() ?? null,
      approvedBy: approval ? { id: approval.approvedBy, name: approval.approvedByName } : null,
      approvedVersion: approval?.workspaceVersion ?? null,
    })
  }
  return found
}

/** What is in a folder now and was not when it was approved, with the digest to approve it by. */
export async function diffWorkspaceSkill(
  { database, workspaces }: WorkspaceSkillDeps,
  at: DocumentName,
  folder: string,
): Promise<{ diff: string; digest: string }> {
  await workspaces.get(at.teamId, at.workspaceId)
  const files = (await listFolders(workspaces, at)).get(folder)
  if (!files) throw unknownFolder(folder)
  const content = await readFolder(workspaces, at, { folder, files })
  const approval = (await selectApprovals(database, at)).find(({ name }) => name === folder)
  const before = approval && (await readApprovedVersion(workspaces, at, approval))
  return { diff: await diffFolders(before ?? new Map(), content), digest: digestOf(content) }
}

/** Undefined when the workspace does not keep that version any more. */
async function readApprovedVersion(
  workspaces: Workspaces,
  at: DocumentName,
  { name: folder, workspaceVersion: version, digest }: ApprovalRow,
): Promise<Folder | undefined> {
  try {
    const files = (await listFolders(workspaces, at, version)).get(folder) ?? []
    const content = await readFolder(workspaces, at, { folder, files, version })
    return digestOf(content) === digest ? content : undefined
  } catch (error) {
    if (error instanceof CoherexError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Lets agents have a folder as it is now. A change of any of its files takes that back by itself. */
export async function approveWorkspaceSkill(
  { database, workspaces }: WorkspaceSkillDeps,
  caller: TeamCaller,
  { workspaceId, name, digest }: { workspaceId: string; name: string; digest: string },
): Promise<void> {
  const { teamId, person } = caller
  const at = { teamId, workspaceId }
  await workspaces.get(teamId, workspaceId)
  const workspaceVersion = await workspaces.versions.settle(at)
  const files = (await listFolders(workspaces, at, workspaceVersion)).get(name)
  if (!files) throw unknownFolder(name)
  const content = await readFolder(workspaces, at, { folder: name, files, version: workspaceVersion })
  if (digestOf(content) !== digest) {
    throw new CoherexError('conflict', `The skill "${name}" is not what you have seen: look at it again`)
  }
  const { frontMatter } = requireSkill(content, name)
  const approval = {
    description: frontMatter.description,
    digest,
    workspaceVersion,
    approvedBy: person.id,
    approvedByName: person.name,
    approvedAt: new Date(),
  }
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction
      .insert(workspaceSkillTable)
      .values({ teamId, workspaceId, name, ...approval })
      .onConflictDoUpdate({
        target: [workspaceSkillTable.teamId, workspaceSkillTable.workspaceId, workspaceSkillTable.name],
        set: approval,
      })
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: 'skill.approve',
      target: { kind: 'skill', name },
      details: { workspaceId, version: workspaceVersion, digest },
    })
  })
}

export async function withdrawWorkspaceSkill(
  { database }: Pick<WorkspaceSkillDeps, 'database'>,
  caller: TeamCaller,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    const removed = await transaction
      .delete(workspaceSkillTable)
      .where(isApproval(teamId, workspaceId, name))
      .returning({ name: workspaceSkillTable.name })
    if (removed.length === 0) throw new CoherexError('not_found', `No skill "${name}" is approved in this workspace`)
    await recordAudit(transaction, {
      teamId,
      actor: caller,
      action: 'skill.withdraw',
      target: { kind: 'skill', name },
      details: { workspaceId },
    })
  })
}

/** Folders that agents get in a workspace: their files are those that a person approved. */
export async function listApprovedFolders(
  { database, workspaces }: WorkspaceSkillDeps,
  at: DocumentName,
): Promise<{ name: string; description: string }[]> {
  const approvals = await selectApprovals(database, at)
  if (approvals.length === 0) return []
  const folders = await listFolders(workspaces, at)
  return approvals.filter(({ name, digest }) => {
    const files = folders.get(name)
    return files !== undefined && digestOfHashes(files) === digest
  })
}

/** The files of an approved folder; undefined when they are others than those that were approved. */
export async function readApprovedFolder(
  { database, workspaces }: WorkspaceSkillDeps,
  at: DocumentName,
  folder: string,
): Promise<Folder | undefined> {
  const approval = (await selectApprovals(database, at)).find(({ name }) => name === folder)
  if (!approval) return undefined
  const files = (await listFolders(workspaces, at)).get(folder)
  if (!files || digestOfHashes(files) !== approval.digest) return undefined
  const content = await readFolder(workspaces, at, { folder, files })
  // someone may have typed between the two looks
  return digestOf(content) === approval.digest ? content : undefined
}

/** Whether some workspace of the team has an approved skill of that name. */
export async function isInSomeWorkspace(database: Database, teamId: string, name: string): Promise<boolean> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ name: workspaceSkillTable.name })
      .from(workspaceSkillTable)
      .where(and(eq(workspaceSkillTable.teamId, teamId), eq(workspaceSkillTable.name, name)))
      .limit(1),
  )
  return row !== undefined
}

function unknownFolder(name: string): CoherexError {
  return new CoherexError('not_found', `The workspace has no skill "${name}"`)
}

async function selectApprovals(database: Database, { teamId, workspaceId }: DocumentName): Promise<ApprovalRow[]> {
  return database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(workspaceSkillTable)
      .where(and(eq(workspaceSkillTable.teamId, teamId), eq(workspaceSkillTable.workspaceId, workspaceId)))
      .orderBy(workspaceSkillTable.name),
  )
}

function isApproval(teamId: string, workspaceId: string, name: string) {
  return and(
    eq(workspaceSkillTable.teamId, teamId),
    eq(workspaceSkillTable.workspaceId, workspaceId),
    eq(workspaceSkillTable.name, name),
  )
}

/** Files by folder, their paths as the skill sees them. */
async function listFolders(
  workspaces: Workspaces,
  at: DocumentName,
  version?: number,
): Promise<Map<string, WorkspaceFile[]>> {
  const { items } = await workspaces.files.list(at, { globs: [`${place}/*/**`], version })
  const folders = Map.groupBy(items, ({ path }) => path.split('/')[1] ?? '')
  return new Map(
    [...folders].map(([folder, files]) => [
      folder,
      files.map((file) => ({ ...file, path: file.path.slice(place.length + folder.length + 2) })),
    ]),
  )
}

async function check(workspaces: Workspaces, at: DocumentName, folder: string, files: WorkspaceFile[]) {
  if (!skillName.safeParse(folder).success) {
    const message = 'the folder must be called with at most 64 lower-case letters, digits and single hyphens'
    return { frontMatter: undefined, problems: [{ file: '', message, path: '' }], warnings: [] }
  }
  const size = files.reduce((sum, one) => sum + one.size, 0)
  if (files.length > skillLimits.files || size > skillLimits.bytes) {
    const message = `has ${files.length} files of ${Math.ceil(size / 1e6)} MB; at most ${skillLimits.files} files of ${skillLimits.bytes / 1e6} MB are loaded`
    return { frontMatter: undefined, problems: [{ file: '', message, path: '' }], warnings: [] }
  }
  const { frontMatter, problems, warnings } = parseSkill(await readFolder(workspaces, at, { folder, files }), folder)
  return { frontMatter, problems, warnings }
}

async function readFolder(
  workspaces: Workspaces,
  at: DocumentName,
  { folder, files, version }: { folder: string; files: WorkspaceFile[]; version?: number },
): Promise<Folder> {
  const content = new Map<string, Buffer>()
  let left: number = skillLimits.bytes
  for (const { path } of files.slice(0, skillLimits.files + 1)) {
    const { body } = await workspaces.files.read(at, `${place}/${folder}/${path}`, version)
    const chunks: Uint8Array[] = []
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      left -= (chunk as Uint8Array).length
      if (left < 0)
        throw new CoherexError('too_large', `The skill "${folder}" is larger than ${skillLimits.bytes / 1e6} MB`)
      chunks.push(chunk as Uint8Array)
    }
    content.set(path, Buffer.concat(chunks))
  }
  return content
}
