import { CoherexError, type SandboxRequest } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Packages, Preparation } from '../../packages/index.ts'
import type { PackageSet } from '../../runtimes/index.ts'
import { addWanted, wantedOf, type KeptPackages, type WantedPackages } from './sandbox-packages.ts'
import type { SandboxRow } from './sandbox.ts'
import type { TemplateRow } from './template-store.ts'

// resolved and fetched
const prepareMs = 10 * 60_000
// of a set that was removed to make room, and is fetched again
const fetchAgainMs = 5 * 60_000

/** What a new sandbox has: the packages of its template and its own. Those of a template alone are those of its build. */
export async function packagesOfRequest(
  packages: Packages,
  caller: TeamCaller,
  { request, template }: { request: SandboxRequest; template: TemplateRow | undefined },
): Promise<KeptPackages[]> {
  const own = wantedOf(request.packages ?? [], request.language ?? null)
  const before = template?.locks ?? []
  const untouched = before.filter(({ language }) => own.every((one) => one.language !== language))
  const wanted = addWanted(before, own).filter(({ language }) => own.some((one) => one.language === language))
  const preparation = { signal: AbortSignal.timeout(prepareMs) }
  return [...untouched, ...(await preparePackages(packages, caller, { wanted, preparation }))]
}

/** Has the locks of a sandbox stay for as long as it is there. */
export async function keepPackages(
  packages: Packages,
  { teamId, id, name, packages: kept }: SandboxRow,
): Promise<void> {
  if (kept.length === 0) return
  await packages.keep(
    teamId,
    { kind: 'sandbox', id, name },
    kept.map(({ hash }) => hash),
  )
}

/** Has what is wanted resolved and there, one lock for a language. */
export async function preparePackages(
  packages: Pick<Packages, 'prepare'>,
  caller: TeamCaller,
  { wanted, preparation }: { wanted: readonly WantedPackages[]; preparation: Preparation },
): Promise<KeptPackages[]> {
  const asked = wanted.filter(({ requirements }) => requirements.length > 0)
  return Promise.all(
    asked.map(async (one) => {
      const { lock } = await packages.prepare(caller, one, preparation)
      return { ...lock, requirements: one.requirements, ...(one.index !== undefined && { index: one.index }) }
    }),
  )
}

/** The sets of a sandbox's locks as it opens. What cannot be had is told, and the sandbox opens without it. */
export async function findSets(
  packages: Pick<Packages, 'prepareLock'>,
  row: Pick<SandboxRow, 'teamId' | 'personId' | 'personName' | 'packages'>,
): Promise<{ sets: PackageSet[]; lacks: string[] }> {
  const signal = AbortSignal.timeout(fetchAgainMs)
  const found = await Promise.all(
    row.packages.map(async ({ hash, language }) => {
      try {
        return (await packages.prepareLock(onBehalfOf(row), hash, { signal })).set
      } catch (error) {
        if (!(error instanceof CoherexError) && !signal.aborted) throw error
        const why = error instanceof CoherexError ? error.message : 'they could not be fetched in time'
        return `its ${language === 'python' ? 'Python' : 'npm'} packages are missing: ${why}`
      }
    }),
  )
  return {
    sets: found.filter((one) => typeof one !== 'string'),
    lacks: found.filter((one) => typeof one === 'string'),
  }
}

/** Nobody asks for anything here: the lock is the team's already, whoever wakes the sandbox. */
function onBehalfOf({
  teamId,
  personId,
  personName,
}: Pick<SandboxRow, 'teamId' | 'personId' | 'personName'>): TeamCaller {
  return {
    person: { id: personId, name: personName, email: '', operator: false },
    ...{ teamId, role: 'viewer', setupDone: true, via: 'session', credentialId: '', scopes: [] },
    ...{ ip: null, requestId: null },
  }
}
