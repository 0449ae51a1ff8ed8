import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Egress } from './egress/index.ts'
import {
  browserInterpreter,
  createNpmSource,
  createPypiSource,
  type BrowserSource,
  type PackageSource,
} from './packages/index.ts'
import { findUv, type BasePython, type Launcher, type Sandbox, type SandboxSpec } from './runtimes/index.ts'

export interface PackageSourcesOptions {
  config: Config['packages']
  egress: Egress
  launcher: Launcher
  basePython: BasePython
  open(spec: SandboxSpec): Promise<Sandbox>
  cacheDir: string
  /** On the file system of the sets. */
  directory: string
}

/** The registries that this machine is configured for. */
export function createPackageSources(options: PackageSourcesOptions): {
  sources: PackageSource[]
  browserSource: BrowserSource | undefined
} {
  const { config, egress, launcher, basePython, open, cacheDir, directory } = options
  const { npm, pypi, uv, allowsUndated } = config
  const sources: PackageSource[] = []
  let browserSource: BrowserSource | undefined
  if (npm)
    sources.push(createNpmSource({ egress, launcher, settings: npm, cacheDir, directory, mayLackTimes: allowsUndated }))
  if (pypi) {
    const { index, offline } = pypi
    const deps = {
      ...{ open, egress, index, offline, uv: uv ?? findUv(), isAgeless: allowsUndated },
      storeDirectory: join(directory, 'wheels'),
    }
    sources.push(createPypiSource({ ...deps, interpreter: basePython }))
    browserSource = createPypiSource({ ...deps, interpreter: browserInterpreter(basePython.python) })
  }
  return { sources, browserSource }
}
