import { recordAudit } from '../../access/index.ts'
import type { Database, Log } from '../../base/index.ts'
import type { EgressRules, EgressSign } from '../../egress/index.ts'
import type { Packages } from '../../packages/index.ts'
import type { Installer, PackageSet, Sandbox as RuntimeSandbox, SandboxSpec, Sign } from '../../runtimes/index.ts'
import { toNetworkRules } from '../execute/bind-capabilities.ts'
import { toEnv, type Environment } from '../variables/environment.ts'
import { alertOfSandbox } from './new-sandbox.ts'
import { findSets } from './packages/prepare-packages.ts'
import type { OpenNetwork } from './sandbox-network.ts'
import { toSandboxLimits, type SandboxRow } from './sandbox.ts'
import type { Templates } from './templates/templates.ts'

export interface OpenDeps {
  database: Database
  log: Log
  templates: Templates
  packages: Packages
  open(spec: SandboxSpec): Promise<RuntimeSandbox>
  /** A way out for a sandbox, within rules. */
  createNetwork(rules: EgressRules | undefined, onSign?: (sign: EgressSign) => void): OpenNetwork
}

/** A sandbox that was just opened, and what its programs do through the network it was granted. */
export interface OpenInside {
  inside: RuntimeSandbox
  way: OpenNetwork
  /** Signs of what they tried there. */
  networkSigns(): readonly Sign[]
  sets: readonly PackageSet[]
  /** What of its packages could not be had, in words. */
  lacks: readonly string[]
}

/** Opens a sandbox as its row says: with its limits, its template and its way out. */
export async function openInside(
  deps: OpenDeps,
  row: SandboxRow,
  { environment, installer }: { environment: Environment; installer: Installer },
): Promise<OpenInside> {
  const { open, templates, createNetwork, packages } = deps
  const networkSigns: Sign[] = []
  const onSign = (sign: EgressSign) => {
    networkSigns.push(sign)
    alertOf(deps, row, sign)
  }
  // also where nothing is granted yet: its processes have the way to the proxy in their environment from the start
  const way = createNetwork(row.network ? toNetworkRules({ network: row.network }) : undefined, onSign)
  const { sets, lacks } = await findSets(packages, row)
  const inside = await open({
    limits: toSandboxLimits(row.limits),
    domain: row.teamId,
    env: toEnv(environment),
    network: way.network,
    installer,
    sets,
    ...(await templates.directoryOf(row)),
  })
  void inside.ended.then(() => way.close())
  return { inside, way, networkSigns: () => networkSigns, sets, lacks }
}

/** At once and not with its end: whoever tries doors may do so for days. */
function alertOf({ database, log }: OpenDeps, row: SandboxRow, sign: Sign): void {
  database
    .transaction({ team: row.teamId }, (transaction) => recordAudit(transaction, alertOfSandbox(row, [sign])))
    .catch((error: unknown) => log.error({ error, sandbox: row.id }, 'an alert could not be recorded'))
}
