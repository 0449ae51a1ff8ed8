import type { PackageLock, SandboxPackagesChange } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Preparation } from '../../packages/index.ts'
import { toLocks } from './packages/sandbox-packages.ts'
import type { Sandboxes } from './sandboxes.ts'

/** Adds what a cell asks for to its sandbox, for the cells to come as well; nothing where it was asked for before. */
export async function addToSandbox(
  sandboxes: Pick<Sandboxes, 'findUsable' | 'changePackages'>,
  caller: TeamCaller,
  {
    id,
    preparation,
    ...asked
  }: Pick<SandboxPackagesChange, 'language' | 'requirements'> & {
    id: string
    preparation: Preparation
  },
): Promise<PackageLock | undefined> {
  const { packages } = await sandboxes.findUsable(caller.teamId, id)
  const known = toLocks(packages).find(({ language }) => language === asked.language)
  const requirements = asked.requirements.map((one) => one.replace(/^(npm|pypi):/, ''))
  if (known && requirements.every((one) => known.requirements.includes(one))) return known
  const { lock } = await sandboxes.changePackages(caller, id, { ...asked, requirements, remove: [], preparation })
  return lock ?? undefined
}
