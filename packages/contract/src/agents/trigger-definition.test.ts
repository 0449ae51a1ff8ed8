import { expect, test } from 'vitest'
import { triggerDefinition } from './trigger-definition.ts'

test.each([
  [{ event: 'moon-rise' }, 'event: Invalid option: expected one of "file-changed"|"run-failed"|"document-added"'],
  [{ webhook: { signature: 'md5' } }, 'webhook.signature: Invalid option: expected one of "standard"|"github"|"slack"'],
  [{ webhook: {}, inputs: 'Go' }, 'Unrecognized key: "inputs"'],
  [{ schedule: '0 9 * * *', webhook: {} }, 'must be one of { schedule, timezone }, { webhook: { signature } } or'],
  [{ cron: '0 9 * * *' }, 'must be one of { schedule, timezone }, { webhook: { signature } } or'],
  ['daily', 'must be one of { schedule, timezone }, { webhook: { signature } } or'],
])('a trigger that is none says what is wrong with it: %j', (given, message) => {
  const { error } = triggerDefinition.safeParse(given)
  expect(error?.issues.map((issue) => issue.message)).toEqual([expect.stringContaining(message)])
})
