import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installDependencies } from './dependencies.mjs'
import { bundledNode, inModules, project } from './project.mjs'
import { installPythonPackages } from './python-packages.mjs'
import { makeReachable } from './reachable.mjs'
import { main, say } from './step.mjs'
import { buildStudio } from './studio.mjs'
import { installSystemPackages, packagesAsked, sandboxPackages } from './system-packages.mjs'
import { makeSystemUser } from './system-user.mjs'

/** The server, started again when its sources change, and the studio, which reloads itself in the browser. */
await main(async () => {
  const asked = packagesAsked(process.argv.slice(2))
  await installDependencies()
  await installSystemPackages([...sandboxPackages, ...asked])
  await installPythonPackages()
  await makeSystemUser()
  await buildStudio()

  const node = bundledNode()
  const server = makeReachable({
    argv: [node, '--watch', '--watch-preserve-output', join(project, 'packages/server/src/main.ts')],
    cwd: project,
    env: process.env,
  })
  const studio = {
    argv: [node, inModules('vite/bin/vite.js'), '--clearScreen', 'false'],
    cwd: join(project, 'packages/studio'),
    env: process.env,
  }
  say('ok', 'Server and studio follow their sources; Ctrl-C stops both')

  const children = [server, studio].map(({ argv: [program = '', ...args], cwd, env }) =>
    spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.removeAllListeners(signal)
    process.on(signal, () => children.forEach((child) => child.kill(signal)))
  }
  const ends = children.map((child) => new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 0))))
  const first = await Promise.race(ends)
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(ends)
  return first
})
