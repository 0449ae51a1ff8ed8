import type { Outbound } from '../egress/index.ts'
import { type BashLimits, createBashCapability } from './bash/bash-capability.ts'
import type { ShellPool } from './bash/shell-pool.ts'
import { createShell } from './bash/shell.ts'
import type { Capabilities, Capability } from './capability.ts'
import { createEchoCapability } from './echo-capability.ts'
import { createFetchCapability } from './fetch-capability.ts'
import type { FileSpace } from './files/file-space.ts'
import { createFilesCapability } from './files/files-capability.ts'
import { createVarsCapability } from './vars-capability.ts'

/** What a run was granted. What is absent does not exist for the guest. */
export interface Allowances {
  files?: FileSpace
  /** Needs `files`: the shell works on the same space. */
  bash?: { pool: ShellPool; limits?: Partial<BashLimits> }
  /** The run's own way out, with its rules. */
  fetch?: Outbound
  vars?: Readonly<Record<string, string>>
  echo?: boolean
}

export interface GrantedCapabilities {
  capabilities: Capabilities
  /** Ends what the capabilities started. Called once, when the run is over. */
  close(): Promise<void>
}

export function createCapabilities({ files, bash, fetch, vars, echo = false }: Allowances): GrantedCapabilities {
  const granted: Record<string, Capability> = {}
  let close = async () => {}
  if (files) granted['FILES'] = createFilesCapability(files)
  if (fetch) granted['FETCH'] = createFetchCapability(fetch)
  if (bash) {
    if (!files) throw new Error('createCapabilities() grants BASH only together with files')
    const shell = createShell(bash.pool, { ...granted })
    close = () => shell.close()
    granted['BASH'] = createBashCapability({
      space: files,
      shell,
      network: fetch !== undefined,
      ...(vars && { env: vars }),
      ...(bash.limits && { limits: bash.limits }),
    })
  }
  if (vars) granted['VARS'] = createVarsCapability(vars)
  if (echo) granted['ECHO'] = createEchoCapability(granted)
  return { capabilities: granted, close }
}
