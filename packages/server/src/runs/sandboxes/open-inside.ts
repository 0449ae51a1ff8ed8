import { recordAudit } from '../../access/index.ts'
import type { Database, Log } from '../../base/index.ts'
import type { EgressRules, EgressSign, LoggedRequest } from '../../egress/index.ts'
import type { Sandbox as RuntimeSandbox, SandboxSpec, Sign } from '../../runtimes/index.ts'
import { toNetworkRules } from '../execute/bind-capabilities.ts'
import { toEnv, type Environment } from '../variables/environment.ts'
import { alertOfSandbox } from './new-sandbox.ts'
import type { OpenNetwork } from './sandbox-network.ts'
import { toSandboxLimits, type SandboxRow } from './sandbox.ts'
import type { Templates } from './templates.ts'

export interface OpenDeps {
  database: Database
  log: Log
  templates: Templates
  open(spec: SandboxSpec): Promise<RuntimeSandbox>
  /** A way out for a sandbox, within rules. */
  createNetwork(rules: EgressRules, onSign?: (sign: EgressSign) => void): OpenNetwork
}

/** A sandbox that was just opened, and what its programs do through the network it was granted. */
export interface OpenInside {
  inside: RuntimeSandbox
  followRequests(): () => LoggedRequest[]
  /** Signs of what they tried there. */
  networkSigns(): readonly Sign[]
}

/** Opens a sandbox as its row says: with its limits, its template and its way out. */
export async function openInside(deps: OpenDeps, row: SandboxRow, environment: Environment): Promise<OpenInside> {
  const { open, templates, createNetwork } = deps
  const rules = row.network && toNetworkRules({ network: row.network })
  const networkSigns: Sign[] = []
  const onSign = (sign: EgressSign) => {
    networkSigns.push(sign)
    alertOf(deps, row, sign)
  }
  const way = rules && createNetwork(rules, onSign)
  const inside = await open({
    limits: toSandboxLimits(row.limits),
    domain: row.teamId,
    env: toEnv(environment),
    ...(way && { network: way.network }),
    ...(await templates.directoryOf(row)),
  })
  if (way) void inside.ended.then(() => way.close())
  return {
    inside,
    followRequests: () => way?.followRequests() ?? (() => []),
    networkSigns: () => networkSigns,
  }
}

/** At once and not with its end: whoever tries doors may do so for days. */
function alertOf({ database, log }: OpenDeps, row: SandboxRow, sign: Sign): void {
  database
    .transaction({ team: row.teamId }, (transaction) => recordAudit(transaction, alertOfSandbox(row, [sign])))
    .catch((error: unknown) => log.error({ error, sandbox: row.id }, 'an alert could not be recorded'))
}
