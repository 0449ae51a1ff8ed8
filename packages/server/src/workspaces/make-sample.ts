import type { Workspaces } from './workspaces.ts'

/** Gives a team that has no workspace one to begin with: a program in each language, to be run with one click. */
export async function makeSample(
  workspaces: Workspaces,
  { teamId, owner }: { teamId: string; owner: { id: string; name: string } },
): Promise<void> {
  const some = await workspaces.list(teamId, { archived: false, limit: 1 })
  if (some.items.length > 0) return
  const author = { kind: 'person' as const, id: owner.id, name: owner.name, door: 'studio' as const }
  const actor = { kind: 'system' as const, name: 'Coherex' }
  await workspaces.create({ teamId, author, actor }, { name: 'Welcome', template: 'sample' })
}
