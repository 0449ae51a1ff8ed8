import { CoherexError, formatDuration, type PackageLock, type RunError } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { Log } from '../base/index.ts'
import type { Packages } from '../packages/index.ts'
import type { PackageSet, Program } from '../runtimes/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import type { NeededPackages } from './execute/needed-packages.ts'
import { addToSandbox } from './sandboxes/add-to-sandbox.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'

export interface AddDeps {
  packages: Packages
  workspaces: Pick<Workspaces, 'get'>
  sandboxes: Pick<Sandboxes, 'findUsable' | 'changePackages'>
  log: Log
}

export interface Adding {
  caller: TeamCaller
  needed: NeededPackages
  /** The lock of the run that is run again. */
  lockHash: string | undefined
  /** Whose files say what is needed. */
  workspaceId: string | undefined
  /** Whose cell it is: it has what its sandbox has. */
  sandboxId: string | undefined
  signal: AbortSignal
  /** One line of plain words for who watches; only where it takes a while. */
  print(line: string): void
  /** It takes a while: whoever waits for a slot may have this one. */
  onWait(): void
}

/** How it went: the packages, nothing where it runs without them, or why it cannot run. */
export type Added = { set?: PackageSet; lock?: PackageLock; notAdded?: string } | { error: RunError }

const quickMs = 300
const tellEveryMs = 1000

/** The set as it is before it is known, for whoever chooses a runtime: what it will have is known by name. */
export function toComeSet({ language, asked, implied }: NeededPackages): PackageSet {
  const modules = [...asked, ...implied].map((one) => one.replace(/^npm:/, '').replace(/(.)@.*$/, '$1'))
  return { hash: '', language, folder: '', modules: language === 'javascript' ? modules : [] }
}

/** Takes what the team may not have, or nobody can have now, out of what is only implied; refuses what was asked for. */
export async function checkNeeded(
  packages: Packages,
  teamId: string,
  needed: NeededPackages,
): Promise<NeededPackages | undefined> {
  const { language, asked, implied } = needed
  const refused = asked.length > 0 ? await packages.refusal(teamId, language, asked) : undefined
  if (refused) throw refused
  const allowed: string[] = []
  for (const one of implied) {
    // one that cannot be read is the program's own affair
    const isAllowed = await packages.refusal(teamId, language, [one]).then(
      (refusal) => refusal === undefined,
      () => false,
    )
    if (isAllowed) allowed.push(one)
  }
  const requirements = [...asked, ...allowed]
  if (requirements.length === 0) return undefined
  const missing = await packages.missing(teamId, { language, requirements, lockFile: needed.lockFile })
  if (missing && asked.length > 0) throw missing
  return missing ? undefined : { ...needed, implied: allowed }
}

/** Has the packages of a run ready, and tells how far it is while that takes. */
export async function addPackages(deps: AddDeps, adding: Adding): Promise<Added> {
  const { packages } = deps
  const { caller, needed, signal } = adding
  const began = performance.now()
  const progress = tellProgress(adding, began)
  const preparation = { signal, onProgress: progress.tell }
  const prepare = (requirements: string[]) =>
    packages.prepare(caller, { language: needed.language, requirements, lockFile: needed.lockFile }, preparation)
  try {
    if (adding.sandboxId !== undefined) {
      const asked = { language: needed.language, requirements: needed.asked, id: adding.sandboxId }
      const of = await addToSandbox(deps.sandboxes, caller, { ...asked, preparation })
      if (of && progress.isTold()) adding.print(`Added ${describe(of)} in ${formatDuration(performance.now() - began)}`)
      return {}
    }
    const { lock, set } = await again(packages, adding, progress.tell).then(
      (known) => known ?? prepare([...needed.asked, ...needed.implied]),
    )
    if (progress.isTold()) adding.print(`Added ${describe(lock)} in ${formatDuration(performance.now() - began)}`)
    keepForWorkspace(deps, adding, lock.hash)
    return { lock, set }
  } catch (error) {
    if (signal.aborted) return { error: { kind: 'cancelled', message: 'The run was cancelled before it began' } }
    if (!(error instanceof CoherexError)) throw error
    if (needed.asked.length > 0)
      return { error: { kind: error.code === 'forbidden' ? 'denied' : 'validation', message: error.message } }
    // code that imports it says so itself, in its own line
    adding.print(`Packages were not added: ${error.message}`)
    return { notAdded: error.message }
  } finally {
    progress.end()
  }
}

/** What the files of a workspace name stays for as long as they do. */
function keepForWorkspace(
  { packages, workspaces, log }: AddDeps,
  { caller, needed, workspaceId }: Adding,
  hash: string,
) {
  if (workspaceId === undefined || !needed.isDeclared) return
  const keep = async () => {
    const { name } = await workspaces.get(caller.teamId, workspaceId)
    await packages.keep(caller.teamId, { kind: 'workspace', id: workspaceId, name }, [hash], needed.language)
  }
  keep().catch((error: unknown) => log.debug({ error }, 'the packages of a workspace were not kept'))
}

/** The lock of before, where the team has it still. */
async function again(packages: Packages, { caller, lockHash, signal }: Adding, tell: (line: string) => void) {
  if (lockHash === undefined) return undefined
  try {
    return await packages.prepareLock(caller, lockHash, { signal, onProgress: tell })
  } catch (error) {
    if (error instanceof CoherexError && error.code === 'not_found') return undefined
    throw error
  }
}

function tellProgress({ print, onWait }: Adding, began: number) {
  let last: string | undefined
  let toldAt = 0
  let timer: NodeJS.Timeout | undefined = setTimeout(() => {
    onWait()
    say()
    timer = setInterval(say, tellEveryMs)
  }, quickMs)
  let told: string | undefined
  function say(): void {
    if (last === undefined || last === told) return
    told = last
    toldAt = performance.now()
    print(last)
  }
  return {
    tell: (line: string) => void (last = line),
    isTold: () => toldAt > began,
    end: () => clearTimeout(timer),
  }
}

function describe({ packages: [first, ...others] }: PackageLock): string {
  if (!first) return 'no packages'
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `${first.name} ${first.version}${more}`
}

/** A program with the set that it was given. */
export function withSet(program: Program, set: PackageSet | undefined): Program {
  const { set: _, ...bare } = program
  return set ? { ...bare, set } : bare
}
