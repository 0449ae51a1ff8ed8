import { CoherexError, type PackageLanguage, type SandboxRequest } from '@coherex/contract'
import type { TeamCaller } from '../../../access/index.ts'
import type { Packages, Preparation } from '../../../packages/index.ts'
import type { PackageSet } from '../../../runtimes/index.ts'
import { checkNeeded } from '../../add-packages.ts'
import type { SandboxRow } from '../sandbox.ts'
import type { TemplateRow } from '../templates/template-store.ts'
import { addWanted, wantedOf, type KeptPackages, type WantedPackages } from './sandbox-packages.ts'

// resolved and fetched
const prepareMs = 10 * 60_000
// of a set that was removed to make room, and is fetched again
const fetchAgainMs = 5 * 60_000

export interface PackagesOfRequest {
  kept: KeptPackages[]
  /** What the files of its workspace ask for and it does without, in words. */
  lacks: string[]
}

/**
 * What a new sandbox has: the packages of its template, those that the files of its workspace declare, and its own. Those of a
 * template alone are those of its build. It is made without what is only declared and cannot be had, and says so.
 */
export async function packagesOfRequest(
  packages: Packages,
  caller: TeamCaller,
  request: Pick<Preparation, 'onProgress'> & {
    request: SandboxRequest
    template: TemplateRow | undefined
    declared: readonly WantedPackages[]
  },
): Promise<PackagesOfRequest> {
  const own = wantedOf(request.request.packages ?? [], request.request.language ?? null)
  const before = request.template?.locks ?? []
  const { allowed: declared, lacks } = await checkDeclared(packages, caller.teamId, request.declared)
  const { onProgress } = request
  const preparation = { signal: AbortSignal.timeout(prepareMs), ...(onProgress && { onProgress }) }
  const prepare = async (language: PackageLanguage): Promise<KeptPackages[]> => {
    const isOf = (one: { language: PackageLanguage }) => one.language === language
    const must = addWanted(before.filter(isOf), own.filter(isOf))
    const more = declared.find(isOf)
    if (more) {
      try {
        const wanted = addWanted([{ ...more, ...indexOf(before.find(isOf)) }], must)
        return await preparePackages(packages, caller, {
          wanted: wanted.map((one) => ({ ...one, lockFile: more.lockFile })),
          preparation,
        })
      } catch (error) {
        if (!(error instanceof CoherexError)) throw error
        lacks.push(notAdded(error))
      }
    }
    return own.some(isOf) ? preparePackages(packages, caller, { wanted: must, preparation }) : before.filter(isOf)
  }
  const languages = new Set([...before, ...own, ...declared].map(({ language }) => language))
  return { kept: (await Promise.all([...languages].map(prepare))).flat(), lacks }
}

/** Takes out what the team may not have, or nobody can have now. */
async function checkDeclared(packages: Packages, teamId: string, declared: readonly WantedPackages[]) {
  const allowed: WantedPackages[] = []
  const lacks: string[] = []
  for (const one of declared) {
    const { language, requirements, lockFile } = one
    const needed = { language, asked: [], implied: requirements, lockFile, isDeclared: true }
    const possible = (await checkNeeded(packages, teamId, needed))?.implied ?? []
    const left = requirements.filter((text) => !possible.includes(text))
    if (possible.length > 0) allowed.push({ ...one, requirements: possible })
    if (left.length === 0) continue
    const why = await packages.refusal(teamId, language, left).catch((error: unknown) => error)
    lacks.push(notAdded(why ?? (await packages.missing(teamId, { language, requirements: left, lockFile }))))
  }
  return { allowed, lacks }
}

function notAdded(why: unknown): string {
  return `Packages of its workspace were not added: ${why instanceof CoherexError ? why.message : 'they cannot be had'}`
}

function indexOf(kept: KeptPackages | undefined): Pick<WantedPackages, 'index'> {
  return kept?.index === undefined ? {} : { index: kept.index }
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
