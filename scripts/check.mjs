import { pathToFileURL } from 'node:url'
import { installDependencies } from './dependencies.mjs'
import { bundledNode, inModules, project } from './project.mjs'
import { main, run, say } from './step.mjs'

const tsc = inModules('typescript/bin/tsc')

/** @type {{ name: string, argv: string[] }[]} */
const checks = [
  { name: 'format', argv: [inModules('oxfmt/bin/oxfmt'), '--check', '.'] },
  { name: 'lint', argv: [inModules('oxlint/bin/oxlint')] },
  ...['packages/contract', 'packages/server', 'packages/studio', 'packages/cli', 'scripts'].map((path) => ({
    name: `types of ${path}`,
    argv: [tsc, '-p', path],
  })),
  { name: 'unused code', argv: [inModules('knip/bin/knip.js'), '--no-config-hints'] },
]

/** Runs every check, also after one has failed, and shows what the failed ones said. */
export async function runChecks() {
  const node = bundledNode()
  let failed = 0
  for (const { name, argv } of checks) {
    const began = performance.now()
    const { code, output } = await run([node, ...argv], { cwd: project })
    say(code === 0 ? 'ok' : 'fail', name, performance.now() - began)
    if (code !== 0) {
      failed += 1
      console.log(output.trimEnd().replace(/^/gm, '    '))
    }
  }
  return { passed: checks.length - failed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await installDependencies()
    const { failed } = await runChecks()
    return failed > 0 ? 1 : 0
  })
}
