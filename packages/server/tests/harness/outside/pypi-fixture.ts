import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEgress } from '../../../src/egress/index.ts'
import { createPypiSource, type PypiSourceDeps } from '../../../src/packages/pypi/create-pypi-source.ts'
import { createFixture } from '../../../src/runtimes/process/process-fixture.ts'
import { findAnyUv } from './find-uv.ts'
import { createWheelIndex } from './wheel-index.ts'

// of this process alone, so that another run of these tests on the machine is not taken for leftovers
const uidBase = 0x60000000 + (process.pid % 0x8000) * 0x800
const never = new AbortController().signal

/** A source with an index on loopback, for tests; without uv or sandboxes, `missing` says so. */
export async function createPypiFixture() {
  const root = mkdtempSync(join(tmpdir(), 'coherex-pypi-'))
  chmodSync(root, 0o711)
  const fixture = await createFixture(uidBase, { poolSize: 0 })
  const index = await createWheelIndex()
  const uv = findAnyUv()
  let count = 0

  const sourceOf = (more: Partial<PypiSourceDeps> = {}) =>
    createPypiSource({
      open: (spec) => fixture.runtime.open(spec),
      egress: createEgress(),
      uv,
      interpreter: { python: '/usr/bin/python3', version: '3.11', packages: {} },
      index: index.url,
      storeDirectory: join(root, 'store'),
      ...more,
    })
  return {
    ...{ root, index, fixture, sourceOf, source: sourceOf() },
    missing: fixture.launcher.unavailable() ?? (uv === undefined ? 'needs uv' : undefined),
    options: () => ({ maxBytes: 50_000_000, allowBuilds: false, signal: never, onProgress() {} }),
    emptyDirectory: () => mkdtempSync(join(root, `set-${++count}-`)),
    async close() {
      await fixture.close()
      await index.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
