import { createHash } from 'node:crypto'
import { CoherexError, type PackageLanguage, type PackagePolicy } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { Database, EventBus, Log } from '../base/index.ts'
import type { AheadLocks } from './ahead-locks.ts'
import { checkAsked, checkResolved, narrow } from './check-policy.ts'
import { selectLock, selectResolution, storeLock, type NewLock, type StoredLock } from './lock-store.ts'
import { mergePackages } from './merge-packages.ts'
import type { PackageSource, ResolvedPackage } from './package-source.ts'
import type { PackagesAsked, Preparation } from './packages.ts'
import { parseRequirements, type Requirement } from './requirement.ts'
import { SharedWork } from './shared-work.ts'
import type { TeamPolicies } from './team-policies.ts'

export interface ResolverDeps {
  database: Database
  events: EventBus
  log: Log
  policies: TeamPolicies
  sources: readonly PackageSource[]
  /** What was resolved before anybody asked. */
  ahead: AheadLocks
}

/** A question as it is put to a registry. */
interface Question {
  language: PackageLanguage
  asked: Requirement[]
  policy: PackagePolicy
  source: PackageSource | undefined
  index: string | undefined
  lockFile: string | undefined
  key: string
  /** There is a lock of before, which is no older than what was fetched ahead. */
  isRenewal?: true
}

const freshMs = 24 * 3_600_000
const tryAgainMs = 10 * 60_000
const resolveDeadlineMs = 3 * 60_000
const mostRemembered = 500
const dayMs = 24 * 3_600_000

/** Finds the lock of requirements: the same for a day, then the same once more while it is looked up anew. */
export class LockResolver {
  readonly #deps: ResolverDeps
  readonly #known = new Map<string, { lock: StoredLock; freshUntil: number }>()
  readonly #work = new SharedWork<ResolvedPackage[]>()
  readonly #unsubscribe: () => void
  /** Told of a lock that took the place of another one, so that it is there when it is asked for. */
  readonly #onRenewed: (caller: TeamCaller, lock: StoredLock) => Promise<unknown>

  constructor(deps: ResolverDeps, onRenewed: (caller: TeamCaller, lock: StoredLock) => Promise<unknown>) {
    this.#deps = deps
    this.#onRenewed = onRenewed
    this.#unsubscribe = deps.events.subscribe(({ type, teamId }) => {
      if (type === 'package-remove' && teamId) this.#forget(teamId)
      if (type === 'reconnected') this.#known.clear()
    })
  }

  async resolve(caller: TeamCaller, asked: PackagesAsked, preparation: Preparation): Promise<StoredLock> {
    const { teamId } = caller
    const question = await this.#ask(teamId, asked)
    const known = await this.#find(teamId, question.key)
    if (!known) return this.#resolve(caller, question, preparation)
    // the list may have lost a version since
    checkResolved(question.policy, question.language, question.asked, known.lock.packages)
    if (known.freshUntil < Date.now()) this.#renew(caller, question, known.lock)
    return known.lock
  }

  /** Whether the same question was answered before, or is without a registry. */
  async isKnown(teamId: string, asked: PackagesAsked): Promise<boolean> {
    const question = await this.#ask(teamId, asked)
    return (
      (await this.#find(teamId, question.key)) !== undefined || (await this.#findKept(teamId, question)) !== undefined
    )
  }

  close(): void {
    this.#unsubscribe()
  }

  async #ask(
    teamId: string,
    { language, requirements, index, lockFile: file, like }: PackagesAsked,
  ): Promise<Question> {
    const policy = await this.#deps.policies.of(teamId)
    const named = parseRequirements(language, requirements)
    checkAsked(policy, language, named)
    const asked = named.map((one) => narrow(policy, language, one))
    const source = this.#deps.sources.find((one) => one.language === language)
    const lockFile = file ?? (like === undefined ? undefined : await this.#fileOf(teamId, like, source))
    const terms = { language, asked, policy, source, index, lockFile }
    return { ...terms, key: keyOf(terms) }
  }

  /** A lock as a file of its language; undefined where it is not there any more. */
  async #fileOf(teamId: string, hash: string, source: PackageSource | undefined): Promise<string | undefined> {
    const lock = await selectLock(this.#deps.database, teamId, hash)
    return lock && source?.toLockFile(lock.requirements, lock.packages).text
  }

  async #find(teamId: string, key: string) {
    const place = `${teamId} ${key}`
    const known = this.#known.get(place)
    if (known) return known
    const row = await selectResolution(this.#deps.database, teamId, key)
    return row && this.#remember(place, row.lock, row.resolvedAt.getTime() + freshMs)
  }

  #remember(place: string, lock: StoredLock, freshUntil: number) {
    const [oldest] = this.#known.keys()
    if (this.#known.size >= mostRemembered && oldest !== undefined) this.#known.delete(oldest)
    const known = { lock, freshUntil }
    this.#known.set(place, known)
    return known
  }

  async #resolve(caller: TeamCaller, question: Question, preparation: Preparation): Promise<StoredLock> {
    const { language, asked, policy, source, index, lockFile, key } = question
    if (!source) throw noSource(language)
    const missing = source.unavailable()
    const kept = missing === undefined ? undefined : await this.#findKept(caller.teamId, question)
    if (missing !== undefined && !kept)
      throw new CoherexError('unavailable', `Cannot add ${namesOf(asked)}: ${missing}. ${keptWorks}`)
    const rules = {
      ...(policy.minimumAgeDays > 0 && { before: new Date(Date.now() - policy.minimumAgeDays * dayMs) }),
      ...(index !== undefined && { index }),
      ...(lockFile !== undefined && { lockFile }),
      allowBuilds: policy.allowBuilds,
    }
    const texts = asked.map(({ text }) => text)
    // a team's own registry is asked for that team alone
    const shared = index === undefined ? key : `${caller.teamId} ${key}`
    const joining = { ...preparation, teamId: caller.teamId }
    const resolve = () =>
      this.#work.join(shared, joining, async (signal, tell) => {
        tell(`Resolving ${namesOf(asked)}`)
        const deadline = AbortSignal.timeout(resolveDeadlineMs)
        try {
          return await source.resolve(texts, rules, AbortSignal.any([signal, deadline]))
        } catch (error) {
          throw deadline.aborted ? tooSlow(asked, error) : error
        }
      })
    const packages = kept ?? (await resolve().catch((error: unknown) => this.#orKept(caller.teamId, question, error)))
    checkResolved(policy, language, asked, packages)
    const lock: NewLock = { key, language, requirements: texts, packages, index: index ?? null }
    const stored = await storeLock(this.#deps.database, caller, lock)
    this.#remember(`${caller.teamId} ${key}`, stored, Date.now() + freshMs)
    await this.#deps.events.publish({ teamId: caller.teamId, type: 'package', id: stored.hash })
    return stored
  }

  /** What each of the requirements got by itself, or was fetched ahead for it, where all of that fits together. */
  async #findKept(teamId: string, question: Question): Promise<ResolvedPackage[] | undefined> {
    const { source, asked, policy, index, lockFile, isRenewal } = question
    if (!source || isRenewal || index !== undefined || lockFile !== undefined) return undefined
    const parts: (readonly ResolvedPackage[])[] = []
    for (const one of asked) {
      const known = asked.length > 1 ? await this.#find(teamId, keyOf({ ...question, asked: [one] })) : undefined
      const part = known?.lock.packages ?? (await this.#deps.ahead.find(source, one, policy))
      if (!part) return undefined
      parts.push(part)
    }
    return mergePackages(parts)
  }

  /** What is kept where the registry does not answer. */
  async #orKept(teamId: string, question: Question, error: unknown): Promise<ResolvedPackage[]> {
    const isAway = error instanceof CoherexError && error.code === 'unavailable'
    const kept = isAway ? await this.#findKept(teamId, question) : undefined
    if (!kept) throw error
    return kept
  }

  /** Looks anew behind the back of whoever asked: they have the lock of before. */
  #renew(caller: TeamCaller, question: Question, before: StoredLock): void {
    const place = `${caller.teamId} ${question.key}`
    // none of the next ones looks as well
    this.#remember(place, before, Date.now() + tryAgainMs)
    const renew = async () => {
      const signal = AbortSignal.timeout(resolveDeadlineMs)
      const lock = await this.#resolve(caller, { ...question, isRenewal: true }, { signal })
      if (lock.hash !== before.hash) await this.#onRenewed(caller, lock)
    }
    renew().catch((error: unknown) => {
      this.#deps.log.debug({ error }, 'packages could not be resolved anew')
      this.#remember(place, before, Date.now() + tryAgainMs)
    })
  }

  #forget(teamId: string): void {
    for (const place of this.#known.keys()) if (place.startsWith(`${teamId} `)) this.#known.delete(place)
  }
}

function keyOf({ language, asked, policy, source, index, lockFile }: Omit<Question, 'key'>): string {
  const terms = [policy.minimumAgeDays, policy.allowBuilds, source?.platform ?? '', index ?? '']
  return createHash('sha256')
    .update(JSON.stringify([language, asked.map(({ text }) => text), ...terms]))
    .update(lockFile ?? '')
    .digest('hex')
}

/** What someone can do who cannot have a package now. */
export const keptWorks = 'Packages that were used before still work'

const registries = {
  javascript: { title: 'npm', setting: 'COHEREX_NPM_REGISTRY' },
  python: { title: 'PyPI', setting: 'COHEREX_PYPI_INDEX' },
}

export function noSource(language: PackageLanguage): CoherexError {
  const { title, setting } = registries[language]
  return new CoherexError('unavailable', `This server has no registry of ${title}: its operator sets ${setting}`)
}

function tooSlow(asked: readonly Requirement[], cause: unknown): CoherexError {
  const message = `Cannot add ${namesOf(asked)}: the registry did not answer in time; try again`
  return new CoherexError('unavailable', message, { cause })
}

function namesOf(asked: readonly { name: string }[]): string {
  const names = asked.map(({ name }) => name)
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
}
