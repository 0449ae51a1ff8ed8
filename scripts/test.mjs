import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runChecks, tellCheck } from './check.mjs'
import { installDependencies } from './dependencies.mjs'
import { bundledNode, inModules, project } from './project.mjs'
import { installPythonPackages } from './python-packages.mjs'
import { makeReachable } from './reachable.mjs'
import { makeScratchFolder } from './scratch-folder.mjs'
import { formatTime, main, run, say } from './step.mjs'
import { buildStudio } from './studio.mjs'
import { installSystemPackages, sandboxPackages, testPackages } from './system-packages.mjs'
import { makeSystemUser } from './system-user.mjs'
import { needsOf } from './testing/test-needs.mjs'

const isLong = process.argv.includes('--long')
/** Only tests that need nothing but Node. */
const isQuick = process.argv.includes('--quick')
/** Given to vitest, such as a path; then the checks are left out. */
const chosen = [
  ...(isQuick ? ['--project=pure'] : []),
  ...process.argv.slice(2).filter((one) => !['--long', '--quick'].includes(one)),
]

await main(async () => {
  await installDependencies()
  const needs = await findNeeds()
  if (needs.processes || needs.database) {
    await installSystemPackages([...sandboxPackages, ...testPackages])
    await installPythonPackages()
    await makeSystemUser()
  }
  if (needs.studio) await buildStudio()

  // beside the tests, which often wait and never notice: the checks only take what is left of the processor
  const checking = chosen.length > 0 ? [] : runChecks({ yields: true })
  const [tests, checks] = await Promise.all([runTests(chosen).then(tryAgain), checking])
  for (const check of checks) tellCheck(check)
  nameSkipped(tests.skipped)
  nameSlowest(tests.slowest)
  for (const name of tests.flaky) console.log(`flaky: ${name}`)

  const failedChecks = checks.filter(({ code }) => code !== 0).length
  const failed = failedChecks + tests.failed
  const skipped = tests.skipped.length > 0 ? `, ${tests.skipped.length} skipped` : ''
  console.log(`${checks.length - failedChecks + tests.passed} passed, ${failed} failed${skipped}`)
  return failed > 0 ? 1 : 0
})

/** What the chosen tests need to be there before they start. */
async function findNeeds() {
  if (isQuick) return { database: false, processes: false, studio: false }
  const all = { database: true, processes: true, studio: true }
  if (chosen.length === 0) return all
  if (chosen.every((path) => existsSync(join(project, path)) && /\.test\.tsx?$/.test(path))) return needsOf(chosen)
  const folder = makeScratchFolder()
  const file = join(folder, 'chosen.json')
  try {
    const list = ['list', '--filesOnly', `--json=${file}`, ...chosen]
    const { code } = await run([bundledNode(), inModules('vitest/vitest.mjs'), ...list], { cwd: project })
    /** @type {{ file: string }[]} */
    const files = code === 0 ? JSON.parse(readFileSync(file, 'utf8')) : []
    // where nothing is found, the tests themselves say so
    return needsOf(files.map((one) => one.file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Files that failed have one more try, after all others and in a process of their own. What passes then is named.
 *
 * @param {Counts} first
 * @returns {Promise<Counts>}
 */
async function tryAgain(first) {
  if (first.again.length === 0) return first
  const { again, ...second } = await runTests(
    first.again.map(({ path }) => path),
    { CI: '' },
  )
  return {
    ...first,
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: [...first.skipped, ...second.skipped],
    flaky: [...first.flaky, ...second.flaky, ...(second.failed > 0 ? [] : first.again.flatMap(({ names }) => names))],
    again,
  }
}

/** @typedef {import('./testing/count-reporter.mjs').Counts} Counts */

/** @param {string[]} paths @param {Record<string, string>} more @returns {Promise<Counts>} */
async function runTests(paths, more = {}) {
  const folder = makeScratchFolder()
  const file = join(folder, 'counts.json')
  try {
    const command = makeReachable({
      argv: [
        ...[bundledNode(), inModules('vitest/vitest.mjs'), 'run', '--reporter=default'],
        `--reporter=./scripts/testing/count-reporter.mjs`,
        ...paths,
      ],
      cwd: project,
      env: {
        ...process.env,
        TMPDIR: folder,
        COHEREX_TEST_COUNTS: file,
        ...(isLong ? { COHEREX_TEST_LONG: '1' } : {}),
        ...more,
      },
    })
    const { code } = await run(command.argv, { cwd: command.cwd, env: command.env, show: true })
    const counts = readCounts(file)
    // a runner that fails although every test passed has still failed
    return code !== 0 && counts.failed + counts.again.length === 0 ? { ...counts, failed: 1 } : counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} file @returns {Counts} */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: [], flaky: [], again: [], slowest: [] } // the runner died before it could count
  }
}

/** @param {import('./testing/count-reporter.mjs').Counts['skipped']} skipped */
function nameSkipped(skipped) {
  const byNote = Map.groupBy ? Map.groupBy(skipped, ({ note }) => note) : new Map([['', skipped]])
  for (const [note, tests] of byNote) {
    if (tests.length === 0) continue
    say('warn', `Skipped${note ? `, ${note}` : ''}:`)
    for (const { title } of tests) console.log(`    ${title}`)
  }
}

/** @param {import('./testing/count-reporter.mjs').Counts['slowest']} slowest */
function nameSlowest(slowest) {
  if (slowest.length === 0) return
  say('ok', 'The slowest files:')
  for (const { path, ms } of slowest) console.log(`    ${formatTime(ms).padStart(8)}  ${path}`)
}
