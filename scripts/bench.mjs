import { join } from 'node:path'
import { installDependencies } from './dependencies.mjs'
import { handOver } from './hand-over.mjs'
import { bundledNode, project } from './project.mjs'
import { makeReachable } from './reachable.mjs'
import { main } from './step.mjs'
import { installSystemPackages, sandboxPackages } from './system-packages.mjs'
import { makeSystemUser } from './system-user.mjs'

/** The goals for speed and memory, each beside the bare mechanism, measured in one run. */
await main(async () => {
  await installDependencies()
  await installSystemPackages(sandboxPackages)
  await makeSystemUser()
  return handOver(
    makeReachable({
      argv: [bundledNode(), '--no-node-snapshot', join(project, 'bench/goals.ts')],
      args: process.argv.slice(2),
      cwd: project,
      env: process.env,
    }),
  )
})
