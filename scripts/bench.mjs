import { join } from 'node:path'
import { installDependencies } from './dependencies.mjs'
import { handOver } from './hand-over.mjs'
import { bundledNode, project } from './project.mjs'
import { makeReachable } from './reachable.mjs'
import { main } from './step.mjs'
import { installSystemPackages, sandboxPackages } from './system-packages.mjs'
import { makeSystemUser } from './system-user.mjs'

// the goals for speed and memory, each beside the bare mechanism; or ten thousand runs whose endings are known
const script = process.argv.includes('--load') ? 'bench/load.ts' : 'bench/goals.ts'

await main(async () => {
  await installDependencies()
  await installSystemPackages(sandboxPackages)
  await makeSystemUser()
  return handOver(
    makeReachable({
      argv: [bundledNode(), '--no-node-snapshot', join(project, script)],
      args: process.argv.slice(2),
      cwd: project,
      env: process.env,
    }),
  )
})
