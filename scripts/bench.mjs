import { join } from 'node:path'
import { installDependencies } from './dependencies.mjs'
import { handOver } from './hand-over.mjs'
import { installLighthouse } from './lighthouse.mjs'
import { bundledNode, project } from './project.mjs'
import { installPythonPackages } from './python-packages.mjs'
import { makeReachable } from './reachable.mjs'
import { main } from './step.mjs'
import { buildStudio } from './studio.mjs'
import { installSystemPackages, sandboxPackages, testPackages } from './system-packages.mjs'
import { makeSystemUser } from './system-user.mjs'

// the goals for speed and memory, each beside the bare mechanism; or ten thousand runs whose endings are known
const script = process.argv.includes('--load') ? 'bench/load.ts' : 'bench/goals.ts'

await main(async () => {
  await installDependencies()
  await installSystemPackages(sandboxPackages)
  await installPythonPackages()
  await makeSystemUser()
  // the studio, its blocks and its chat are measured on their own: `npm run bench -- studio`, `artifacts`, `chat`
  const args = process.argv.slice(2)
  if (['studio', 'artifacts', 'chat'].includes(args[0] ?? '')) {
    await installSystemPackages(testPackages.filter(({ name }) => name === 'chromium-headless-shell'))
    await buildStudio()
    if (args[0] === 'studio') args.splice(1, 0, await installLighthouse())
  }
  return handOver(
    makeReachable({
      argv: [bundledNode(), '--no-node-snapshot', join(project, script)],
      args,
      cwd: project,
      env: process.env,
    }),
  )
})
