import { join } from 'node:path'
import { installDependencies } from './dependencies.mjs'
import { handOver } from './hand-over.mjs'
import { bundledNode, project } from './project.mjs'
import { installPythonPackages } from './python-packages.mjs'
import { makeReachable } from './reachable.mjs'
import { serverEnvironment } from './server-environment.mjs'
import { main } from './step.mjs'
import { buildStudio } from './studio.mjs'
import { installSystemPackages, packagesAsked, sandboxPackages } from './system-packages.mjs'
import { makeSystemUser } from './system-user.mjs'

await main(async () => {
  const asked = packagesAsked(process.argv.slice(2))
  await installDependencies()
  await installSystemPackages([...sandboxPackages, ...asked])
  await installPythonPackages()
  await makeSystemUser()
  await buildStudio()

  const server = join(project, 'packages/server/src/main.ts')
  const env = { ...serverEnvironment, ...process.env }
  return handOver(makeReachable({ argv: [bundledNode(), server], cwd: project, env }))
})
