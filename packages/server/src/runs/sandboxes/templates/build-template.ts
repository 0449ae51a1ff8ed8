import { CoherexError, type Template, type TemplateRequest } from '@coherex/contract'
import type { TeamCaller } from '../../../access/index.ts'
import type { Packages } from '../../../packages/index.ts'
import type { Sandbox, SandboxSpec } from '../../../runtimes/index.ts'
import { preparePackages } from '../packages/prepare-packages.ts'
import { wantedOf, type KeptPackages } from '../packages/sandbox-packages.ts'
import { defaultSandboxLimits } from '../sandbox.ts'
import type { Templates } from './templates.ts'

export interface BuildDeps {
  templates: Templates
  packages: Packages
  open(spec: SandboxSpec): Promise<Sandbox>
}

const prepareMs = 15 * 60_000

/** Builds templates, one at a time for each team. */
export function createTemplateBuilder(deps: BuildDeps) {
  const building = new Set<string>()

  return async (caller: TeamCaller, request: TemplateRequest): Promise<Template> => {
    const { teamId } = caller
    if (building.has(teamId)) throw new CoherexError('conflict', 'A template of the team is being built: wait for it')
    building.add(teamId)
    try {
      const locks = await lockPackages(deps, caller, request)
      return await deps.templates.add(caller, {
        name: request.name,
        description: request.description ?? '',
        packages: request.packages ?? [],
        locks,
        files: request.files ?? {},
        start: request.start ?? null,
      })
    } finally {
      building.delete(teamId)
    }
  }
}

async function lockPackages(deps: BuildDeps, caller: TeamCaller, request: TemplateRequest): Promise<KeptPackages[]> {
  const { name, index, packages = [] } = request
  const wanted = wantedOf(packages, null).map((one) => ({
    ...one,
    ...(index !== undefined && one.language === 'python' && { index }),
  }))
  try {
    const preparation = { signal: AbortSignal.timeout(prepareMs) }
    return await preparePackages(deps.packages, caller, { wanted, preparation })
  } catch (error) {
    if (!(error instanceof CoherexError)) throw error
    // without a registry, what the machine offers is there all the same
    if (error.code === 'unavailable' && (await areOffered(deps, caller.teamId, packages))) return []
    throw new CoherexError(error.code, `Cannot build template "${name}": ${error.message}`, { cause: error })
  }
}

/** Whether the machine and the operator's folder have all of them, in whatever version. */
async function areOffered({ open }: BuildDeps, teamId: string, packages: string[]): Promise<boolean> {
  if (!packages.every((name) => /^[\w.-]+$/.test(name))) return false
  const inside = await open({ limits: defaultSandboxLimits, domain: teamId, env: {} })
  try {
    const outcome = await inside.runCell(
      { context: 'build', language: 'python', code: areOfferedCode, input: packages },
      {
        limits: { timeoutMs: 30_000, outputBytes: 100_000 },
        signal: new AbortController().signal,
        capabilities: {},
        onOutput: () => undefined,
        onStart: () => undefined,
      },
    )
    return outcome.status === 'succeeded' && outcome.result === true
  } finally {
    await inside.close()
  }
}

const areOfferedCode = `import coherex, importlib.metadata
def is_there(name):
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False
all(is_there(name) for name in coherex.input)`
