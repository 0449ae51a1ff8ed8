import { CoherexError, type Template, type TemplateRequest } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Blobs } from '../../base/index.ts'
import type { EgressRules } from '../../egress/index.ts'
import type { Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import { toNetworkRules } from '../execute/bind-capabilities.ts'
import type { Allowances } from '../queue/allowances.ts'
import type { OpenNetwork } from './sandbox-network.ts'
import { defaultSandboxLimits } from './sandbox.ts'
import { CountedBytes } from './save-files.ts'
import type { TemplateFile } from './template-store.ts'
import type { Templates } from './templates.ts'

export interface BuildDeps {
  templates: Templates
  blobs: Blobs
  allowances: Allowances
  open(spec: SandboxSpec): Promise<Sandbox>
  createNetwork(rules: EgressRules): OpenNetwork
}

const installMs = 600_000
const site = 'site'

/** Builds templates, one at a time for each team. */
export function createTemplateBuilder(deps: BuildDeps) {
  const building = new Set<string>()

  return async (caller: TeamCaller, request: TemplateRequest): Promise<Template> => {
    const { teamId } = caller
    if (building.has(teamId)) throw new CoherexError('conflict', 'A template of the team is being built: wait for it')
    building.add(teamId)
    try {
      const files = (request.packages ?? []).length > 0 ? await installPackages(deps, teamId, request) : []
      return await deps.templates.add(
        caller,
        {
          name: request.name,
          description: request.description ?? '',
          packages: request.packages ?? [],
          files: request.files ?? {},
          start: request.start ?? null,
        },
        files,
      )
    } finally {
      building.delete(teamId)
    }
  }
}

/** Installs what the machine does not offer already, in a sandbox of its own, and keeps what came of it. */
async function installPackages(deps: BuildDeps, teamId: string, request: TemplateRequest): Promise<TemplateFile[]> {
  const rules = toNetworkRules(request)
  const way = rules && deps.createNetwork(rules)
  const inside = await deps.open({
    limits: defaultSandboxLimits,
    domain: teamId,
    env: {},
    ...(way && { network: way.network }),
  })
  try {
    const missing = await findMissing(inside, request.packages ?? [])
    if (missing.length === 0) return []
    await install(inside, missing, request)
    return await keepInstalled(deps, teamId, inside)
  } finally {
    await inside.close()
    await way?.close()
  }
}

/** Packages that neither the machine nor the operator's folder has; one with a version is always installed. */
async function findMissing(inside: Sandbox, packages: string[]): Promise<string[]> {
  const plain = packages.filter((name) => /^[\w.-]+$/.test(name))
  const outcome = await inside.runCell(
    { context: 'build', language: 'python', code: findMissingCode, input: plain },
    {
      limits: { timeoutMs: 30_000, outputBytes: 100_000 },
      signal: new AbortController().signal,
      capabilities: {},
      onOutput: () => undefined,
      onStart: () => undefined,
    },
  )
  const missing = outcome.status === 'succeeded' && Array.isArray(outcome.result) ? outcome.result.map(String) : plain
  return packages.filter((name) => !plain.includes(name) || missing.includes(name))
}

const findMissingCode = `import coherex, importlib.metadata
def is_there(name):
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False
[name for name in coherex.input if not is_there(name)]`

async function install(inside: Sandbox, packages: string[], { name, index }: TemplateRequest): Promise<void> {
  const options = ['--no-input', '--disable-pip-version-check', '--no-compile', '--no-cache-dir', '--target', site]
  // five, as it usually does, keep someone waiting for eight seconds whose network rules leave the index out
  options.push('--retries', '2')
  const words = [...options, ...(index ? ['--index-url', index] : []), '--', ...packages]
  const command = `python3 -m pip install ${words.map(quote).join(' ')} 2>&1`
  const process = await inside.processes.start({ command })
  const timer = setTimeout(() => process.kill('SIGKILL'), installMs)
  const { code } = await process.exited
  clearTimeout(timer)
  if (code === 0) return
  const said = process.recentOutput.map(({ text }) => text).join('')
  const why = said.match(/^(ERROR|.*No module named pip).*$/gm)?.at(-1) ?? 'pip failed'
  throw new CoherexError('conflict', `Cannot build template "${name}": ${why.slice(0, 300)}`, {
    details: { output: said.slice(-5000) },
  })
}

async function keepInstalled(
  { blobs, allowances }: BuildDeps,
  teamId: string,
  inside: Sandbox,
): Promise<TemplateFile[]> {
  const { quotas, storedMb } = await allowances.of(teamId)
  let left = Math.max(0, (quotas.storageMb - storedMb) * 1024 * 1024)
  const files: TemplateFile[] = []
  for (const { path, type } of await inside.files.list(site, { recursive: true })) {
    if (type !== 'file') continue
    const counted = new CountedBytes(await inside.files.read(path), left)
    const hash = await blobs.put(teamId, counted)
    left -= counted.size
    files.push({ path: path.slice(site.length + 1), size: counted.size, hash })
  }
  // asked for again, so that the first of thousands stay until the template is stored
  for (const { hash } of files) {
    if (!(await blobs.has(teamId, hash)))
      throw new CoherexError('unavailable', 'The packages took too long to store: build the template again')
  }
  return files
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
