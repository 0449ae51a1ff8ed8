import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes long and does not look like it: where tests have not run before, all that is known of a file is its size. */
const isLong = (path: string) => /\/packages\/server\/tests\/(hostile\/|load\.test)/.test(path)

/** As vitest has it, but for those: whichever of them began last would keep one worker waiting for the other. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // a project stays together: its workers keep what they have loaded
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((some) => {
      const { long = [], other = [] } = Object.groupBy(some, ({ moduleId }) => (isLong(moduleId) ? 'long' : 'other'))
      return [...long, ...other]
    })
  }
}
