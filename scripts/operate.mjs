import { join } from 'node:path'
import { handOver } from './hand-over.mjs'
import { bundledNode, project } from './project.mjs'
import { makeReachable } from './reachable.mjs'
import { main } from './step.mjs'

/** The server's program for operators, where the database and its files can be reached; `coherex` calls it. */
await main(() =>
  handOver(
    makeReachable({
      argv: [bundledNode(), join(project, 'packages/server/src/operate.ts')],
      args: process.argv.slice(2),
      cwd: project,
      env: process.env,
    }),
  ),
)
