import { writeFileSync } from 'node:fs'

/**
 * Counts for the last line of `npm test`, written to the file that COHEREX_TEST_COUNTS names.
 * A file that cannot be loaded and an error that no test caught are failures as well.
 *
 * @typedef {{
 *   passed: number,
 *   failed: number,
 *   skipped: { title: string, note: string }[],
 *   flaky: string[],
 *   again: { path: string, names: string[] }[],
 *   slowest: { path: string, ms: number }[],
 * }} Counts `flaky` are those that failed and then passed; `again` are files to try once more, which are in no other count; `slowest` are at most ten files, and none of a run of so few
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default class CountReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {Counts} */
    const counts = { passed: 0, failed: 0, skipped: [], flaky: [], again: [], slowest: [] }
    const lost = new Set()
    for (const error of unhandledErrors) {
      const file = fileOfDeadWorker(error)
      if (file) lost.add(file)
      else counts.failed += 1
    }
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()]
      const errors = suites.reduce((sum, suite) => sum + suite.errors().length, 0)
      const names = nameFailures(module, { isLost: lost.has(module.moduleId), errors })
      if (names.length > 0 && mayTryAgain(module)) {
        counts.again.push({ path: module.relativeModuleId, names })
        continue
      }
      counts.failed += lost.has(module.moduleId) ? 1 : errors
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (test.diagnostic()?.flaky) counts.flaky.push(`${module.relativeModuleId} > ${test.fullName}`)
        if (result.state === 'passed') counts.passed += 1
        else if (result.state === 'skipped') counts.skipped.push({ title: test.fullName, note: result.note ?? '' })
        else counts.failed += 1
      }
    }
    if (modules.length > 10)
      counts.slowest = modules
        .map(timeOf)
        .toSorted((a, b) => b.ms - a.ms)
        .slice(0, 10)
    const file = process.env['COHEREX_TEST_COUNTS']
    if (file) writeFileSync(file, JSON.stringify(counts))
  }
}

/**
 * With both cores busy a test of sandboxes or of the whole server may fail for no reason of its own.
 *
 * @param {import('vitest/node').TestModule} module
 */
function mayTryAgain(module) {
  return Boolean(process.env['CI']) && !['pure', 'database'].includes(module.project.name)
}

/**
 * @param {import('vitest/node').TestModule} module
 * @param {{ isLost: boolean, errors: number }} found
 * @returns {string[]}
 */
function nameFailures(module, { isLost, errors }) {
  const path = module.relativeModuleId
  if (isLost) return [`${path} (its process died)`]
  const failed = [...module.children.allTests()].filter((test) => test.result().state === 'failed')
  return [
    ...failed.map(({ fullName }) => `${path} > ${fullName}`),
    ...(errors > 0 ? [`${path} (outside its tests)`] : []),
  ]
}

/** @param {unknown} error @returns {string | undefined} */
function fileOfDeadWorker(error) {
  const { cause } = /** @type {{ cause?: { message?: string } }} */ (error)
  return /^Worker exited unexpectedly .* while running test file (.+)$/.exec(cause?.message ?? '')?.[1]
}

/** @param {import('vitest/node').TestModule} module */
function timeOf(module) {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return { path: module.relativeModuleId, ms: duration + collectDuration + setupDuration }
}
