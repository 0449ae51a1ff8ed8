import { CoherexError, type Run, type RunRequest } from '@coherex/contract'
import {
  createCapabilities,
  createMemoryFileSpace,
  type Capabilities,
  type FileSpace,
  type ShellPool,
} from '../../capabilities/index.ts'
import {
  createProxy,
  EgressError,
  teamRules,
  type Outbound,
  type Egress,
  type EgressRules,
  type EgressSign,
  type Proxy,
} from '../../egress/index.ts'
import type { Limits, ProducedFile, Program } from '../../runtimes/index.ts'
import { quotaOf } from './check-files.ts'

export interface BoundCapabilities {
  capabilities: Capabilities
  /** The way out for the clients that a program brings. */
  network?: Proxy
  /** Ends what is still under way, and tells all that the guest asked for, also what it cleared from its log. */
  endRequests(): Promise<Run['requests']>
  /** What the guest left in its scratch space through FILES and BASH. */
  files(): Promise<ProducedFile[]>
  close(): Promise<void>
}

/** The network rules of a request. Throws when a prefix cannot be one. */
export function toNetworkRules({ network }: Pick<RunRequest, 'network'>): EgressRules | undefined {
  if (!network || network.allow.length === 0) return undefined
  try {
    return teamRules({ allow: network.allow })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new CoherexError('invalid_input', `network.allow: ${error.message}`, {
      details: [{ field: 'network.allow' }],
    })
  }
}

/** Gives a run what it was granted and nothing else. */
export function bindCapabilities(options: {
  program: Program
  /** Its files are those of a workspace. */
  isWorkspace?: boolean
  limits: Limits
  network: EgressRules | undefined
  egress: Egress
  shells: ShellPool
  onSign(sign: EgressSign): void
}): BoundCapabilities {
  const { program, limits, network, egress, shells, onSign } = options
  const space = createMemoryFileSpace({
    kind: options.isWorkspace ? 'workspace' : 'scratch',
    files: program.files,
    readOnly: program.readOnly,
    quota: quotaOf(limits),
  })
  const caller: Outbound | undefined = network && egress.outbound({ rules: network, onSign })
  const requests = caller?.follow()
  const { capabilities, close } = createCapabilities({
    files: space,
    bash: { pool: shells },
    ...(caller && { fetch: caller }),
    vars: program.env,
    echo: true,
  })
  const proxy = caller && createProxy(caller)
  return {
    capabilities,
    ...(proxy && { network: proxy }),
    async endRequests() {
      caller?.close()
      await proxy?.close()
      return requests?.() ?? []
    },
    files: () => changedFiles(space, program.files),
    close,
  }
}

async function changedFiles(space: FileSpace, given: Program['files']): Promise<ProducedFile[]> {
  const produced: ProducedFile[] = []
  for (const { path } of await space.list('/')) {
    const name = path.replace(/^\//, '')
    const bytes = await space.read(path)
    const before = Object.hasOwn(given, name) ? given[name] : undefined
    if (before !== undefined && Buffer.from(before).equals(bytes)) continue
    produced.push({ path: name, bytes })
  }
  return produced
}
