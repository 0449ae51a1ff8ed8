// For tests: packages of a registry on loopback, resolved in this machine's real sandboxes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NpmRegistry, startNpmRegistry } from '../../../tests/harness/outside/npm-registry.ts'
import { createEgress } from '../../egress/index.ts'
import { createLauncher, type Launcher } from '../../runtimes/index.ts'
import type { PackageSource } from '../package-source.ts'
import { createNpmSource, type NpmSourceDeps } from './create-npm-source.ts'

export interface NpmFixture {
  source: PackageSource
  registry: NpmRegistry
  launcher: Launcher
  root: string
  /** The same registry with other settings. */
  sourceWith(deps: Partial<NpmSourceDeps>): PackageSource
  close(): Promise<void>
}

export async function createNpmFixture(): Promise<NpmFixture> {
  const root = mkdtempSync(join(tmpdir(), 'coherex-npm-'))
  // mkdtemp keeps it to the owner, and the sandbox's user is another
  chmodSync(root, 0o755)
  const launcher = await createLauncher({ stateDir: join(root, 'state') })
  const registry = await startNpmRegistry()
  const settings = { registry: registry.url, scopes: new Map(), credentials: new Map() }
  const common = {
    egress: createEgress(),
    launcher,
    settings,
    cacheDir: join(root, 'cache'),
    directory: join(root, 'npm'),
  }
  return {
    source: createNpmSource(common),
    registry,
    launcher,
    root,
    sourceWith: (deps) => createNpmSource({ ...common, ...deps }),
    async close() {
      await Promise.all([launcher.close(), registry.close()])
      rmSync(root, { recursive: true, force: true })
    },
  }
}
