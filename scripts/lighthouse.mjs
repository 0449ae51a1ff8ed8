import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './dependencies.mjs'
import { project } from './project.mjs'
import { Problem, lastWords, run, step } from './step.mjs'

const version = '13.5.0'
const folder = join(project, 'node_modules/.cache', `lighthouse-${version}`)

/** Beside the packages of the lockfile: it is larger than all the studio needs, and only the bench of the studio uses it. */
export async function installLighthouse() {
  await step('Installing Lighthouse', async () => {
    if (existsSync(join(folder, 'node_modules/lighthouse/core/index.js'))) return 'Lighthouse is installed'
    const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', folder]
    const { code, output } = await run([...npm(), 'install', ...options, `lighthouse@${version}`], { cwd: project })
    if (code !== 0) throw new Problem(`Cannot install Lighthouse: ${lastWords(output)}`)
    return 'Installed Lighthouse'
  })
  return folder
}
