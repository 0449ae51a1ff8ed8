import { createPypiFixture } from '../../../tests/harness/outside/pypi-fixture.ts'
import { describePackageSource } from '../package-source.contract.ts'

describePackageSource('pypi', async () => {
  const { source, index, missing, close } = await createPypiFixture()
  if (missing) {
    await close()
    return missing
  }
  const one = (version: string) => ({ name: 'one', version, files: { 'one/__init__.py': `v = "${version}"\n` } })
  const on = (date: string) => ({ uploadedAt: new Date(date) })
  index.offer(one('1.0.0'), on('2024-01-01'))
  index.offer(one('1.1.0'), on('2024-06-01'))
  index.offer(one('2.0.0'), on('2025-01-01'))
  index.offer({ name: 'two', version: '1.0.0', files: { 'two.py': '' }, requires: ['one~=1.0'] }, on('2024-01-01'))
  index.offer({ name: 'tampered', version: '1.0.0', files: { 'tampered.py': '' } }, { sha256: 'ab'.repeat(32) })
  return {
    source,
    close,
    ask: (name, major) => (major === undefined ? name : `${name}==${major}.*`),
    fileOfOne: 'site/one/__init__.py',
    lockNamesRegistry: true,
    requests: () => index.asked.length,
  }
})
