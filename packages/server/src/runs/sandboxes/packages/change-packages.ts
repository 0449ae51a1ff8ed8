import type { PackageLock, SandboxPackagesChange } from '@coherex/contract'
import type { TeamCaller } from '../../../access/index.ts'
import type { Packages, Preparation } from '../../../packages/index.ts'
import type { Sandboxes } from '../sandboxes.ts'
import { addWanted, changedPackages, checkAskedFor, without, type KeptPackages } from './sandbox-packages.ts'

/** What became of the packages of one language. */
export interface ChangedPackages {
  /** Null where none is left. */
  lock: PackageLock | null
  /** New, or of another version than before. */
  changed: { name: string; version: string }[]
}

export interface ChangePackagesDeps {
  sandboxes: Pick<Sandboxes, 'findUsable' | 'update' | 'awake'>
  packages: Packages
}

/** Adds packages to a sandbox, or takes some away, without waking it; in one that is awake they can be imported at once. */
export async function changePackages(
  { sandboxes, packages }: ChangePackagesDeps,
  caller: TeamCaller,
  { id, asked, preparation }: { id: string; asked: SandboxPackagesChange; preparation: Preparation },
): Promise<ChangedPackages> {
  const { teamId } = caller
  const { language } = asked
  const row = await sandboxes.findUsable(teamId, id)
  const before = row.packages.find((one) => one.language === language)
  const others = row.packages.filter((one) => one.language !== language)
  checkAskedFor(language, before?.requirements ?? [], asked.remove)
  const left = without(language, before?.requirements ?? [], asked.remove)
  const [wanted] = addWanted(
    [{ language, requirements: left, ...(before?.index !== undefined && { index: before.index }) }],
    [{ language, requirements: asked.requirements.map((one) => one.replace(/^(npm|pypi):/, '')) }],
  )
  const prepared =
    wanted && wanted.requirements.length > 0
      ? await packages.prepare(caller, { ...wanted, like: asked.upgrade ? undefined : before?.hash }, preparation)
      : undefined
  const lock = prepared && wanted && { ...prepared.lock, requirements: wanted.requirements }
  const kept: KeptPackages[] = [
    ...others,
    ...(lock ? [{ ...lock, ...(before?.index !== undefined && { index: before.index }) }] : []),
  ]
  await sandboxes.update(caller, id, { packages: kept })
  const owner = { kind: 'sandbox', id, name: row.name } as const
  await packages.keep(
    teamId,
    owner,
    kept.map(({ hash }) => hash),
  )
  const open = sandboxes.awake(teamId, id)
  if (open) {
    open.sets = [...open.sets.filter((one) => one.language !== language), ...(prepared ? [prepared.set] : [])]
    await open.inside.usePackages(open.sets)
  }
  return { lock: lock ?? null, changed: changedPackages(before, lock) }
}
