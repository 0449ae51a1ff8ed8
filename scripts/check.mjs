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

/** @typedef {{ name: string, ms: number, code: number, output: string }} Checked */

/**
 * Runs every check, also after one has failed.
 * @param {{ yields?: boolean, told?: (checked: Checked) => void }} [options]
 */
export async function runChecks({ yields = false, told = () => undefined } = {}) {
  const node = bundledNode()
  /** @type {Checked[]} */
  const all = []
  for (const { name, argv } of checks) {
    const began = performance.now()
    const { code, output } = await run([node, ...argv], { cwd: project, yields })
    const checked = { name, ms: performance.now() - began, code, output }
    told(checked)
    all.push(checked)
  }
  return all
}

/** Shows one check, with what it said where it failed. @param {Checked} checked */
export function tellCheck({ name, ms, code, output }) {
  say(code === 0 ? 'ok' : 'fail', name, ms)
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await installDependencies()
    const all = await runChecks({ told: tellCheck })
    return all.some(({ code }) => code !== 0) ? 1 : 0
  })
}
