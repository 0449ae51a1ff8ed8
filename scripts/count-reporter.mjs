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
 *   slowest: { path: string, ms: number }[],
 * }} Counts `flaky` are those that failed and then passed; `slowest` are at most ten files, and none of a run of so few
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default class CountReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {Counts} */
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [], flaky: [], slowest: [] }
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()]
      counts.failed += suites.reduce((sum, suite) => sum + suite.errors().length, 0)
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

/** @param {import('vitest/node').TestModule} module */
function timeOf(module) {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return { path: module.relativeModuleId, ms: duration + collectDuration + setupDuration }
}
