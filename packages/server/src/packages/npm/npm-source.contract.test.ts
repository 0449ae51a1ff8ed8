import { describePackageSource } from '../package-source.contract.ts'
import { createNpmFixture } from './npm-fixture.ts'

describePackageSource('npm', async () => {
  const { source, registry, launcher, close } = await createNpmFixture()
  const missing = launcher.unavailable()
  if (missing) return missing
  await registry.publish(
    { name: 'one', version: '1.0.0' },
    { name: 'one', version: '1.1.0', releasedAt: '2024-06-01T00:00:00.000Z' },
    { name: 'one', version: '2.0.0', releasedAt: '2025-01-01T00:00:00.000Z' },
    { name: 'two', version: '1.0.0', manifest: { dependencies: { one: '^1.0.0' } } },
    { name: 'tampered', version: '1.0.0', dist: { integrity: `sha512-${Buffer.alloc(64).toString('base64')}` } },
  )
  return {
    source,
    close,
    ask: (name, major) => (major === undefined ? name : `${name}@${major}`),
    fileOfOne: 'node_modules/one/index.js',
    requests: () => registry.requests.length,
  }
})
