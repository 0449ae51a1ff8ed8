import type { ChangedSandbox, Sandbox, SandboxChange } from '@coherex/contract'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { toNetworkRules } from '../execute/bind-capabilities.ts'
import type { AwakeSandboxes } from './awake-sandboxes.ts'
import { auditSandbox } from './new-sandbox.ts'
import type { KeptPackages } from './packages/sandbox-packages.ts'
import { updateSandbox } from './sandbox-store.ts'
import type { SandboxRow } from './sandbox.ts'

export interface ChangeDeps {
  awake: AwakeSandboxes
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  announce(row: SandboxRow): Promise<Sandbox>
}

/** What people change of it, and packages that are there. */
export type RowChange = SandboxChange & { packages?: KeptPackages[] }

/** Changes a sandbox as far as it can be while it is awake; the rest takes effect when it next wakes. */
export async function changeSandbox(
  { awake, transaction, announce }: ChangeDeps,
  caller: TeamCaller,
  { row, asked }: { row: SandboxRow; asked: RowChange },
): Promise<ChangedSandbox> {
  const rules = asked.network ? toNetworkRules({ network: asked.network }) : undefined
  const change: Partial<SandboxRow> = {
    ...(asked.name !== undefined && { name: asked.name }),
    ...(asked.network !== undefined && { network: rules && asked.network ? asked.network : null }),
    ...(asked.limits && { limits: { ...row.limits, ...defined(asked.limits) } }),
    ...(asked.idleTimeoutMs !== undefined && { idleTimeoutMs: asked.idleTimeoutMs }),
    ...(asked.packages && { packages: asked.packages }),
  }
  const { limits = row.limits } = change
  const open = awake.get(row.id)
  const giveBack = limits.memoryMb === row.limits.memoryMb ? undefined : await awake.resize(row, limits.memoryMb)
  try {
    await transaction(async (inside) => {
      await updateSandbox(inside, row.teamId, row.id, change)
      const told = { ...change, ...(asked.packages && { packages: asked.packages.flatMap((one) => one.requirements) }) }
      await recordAudit(inside, auditSandbox(caller, 'sandbox.change', { ...row, ...change }, { change: told }))
    })
  } catch (error) {
    giveBack?.()
    throw error
  }
  const atNextWake: ChangedSandbox['atNextWake'] = []
  if (open) {
    open.row = { ...open.row, ...change }
    open.rewatch()
    if (asked.network !== undefined) open.way.change(rules)
    if (giveBack && !open.inside.limitMemory(limits.memoryMb)) atNextWake.push('limits.memoryMb')
    if (limits.diskMb !== row.limits.diskMb) atNextWake.push('limits.diskMb')
  }
  return { ...(await announce({ ...row, ...change })), atNextWake }
}

function defined<T extends object>(value: T): { [Name in keyof T]: NonNullable<T[Name]> } {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof T]: NonNullable<T[Name]> }
}
