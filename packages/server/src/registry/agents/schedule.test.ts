import { expect, test } from 'vitest'
import { parseDefinition } from './parse-definition.ts'
import { nextFirings } from './schedule.ts'

const timezone = 'Europe/Berlin'
const times = (schedule: string, after: string, count: number) =>
  nextFirings({ schedule, timezone }, new Date(after), count).map((time) => time.toISOString().slice(0, 16))

function problemsOf(trigger: string) {
  const source = `kind: agent\nname: clock\ndescription: d\ninstructions: i\ntriggers:\n  - ${trigger}\n`
  return parseDefinition(source).problems.map(({ path, line, message }) => `${path} ${line} ${message}`)
}

test('a time of day stays that time of day when clocks change', () => {
  expect(times('0 9 * * 1-5', '2026-03-27T12:00Z', 2)).toEqual(['2026-03-30T07:00', '2026-03-31T07:00'])
  expect(times('0 9 * * 1-5', '2026-10-23T12:00Z', 2)).toEqual(['2026-10-26T08:00', '2026-10-27T08:00'])
})

test('a time that is skipped in spring comes an hour later, and one that is repeated in autumn comes once', () => {
  expect(times('30 2 * * *', '2026-03-28T12:00Z', 2)).toEqual(['2026-03-29T01:30', '2026-03-30T00:30'])
  expect(times('30 2 * * *', '2026-10-24T12:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
})

test('an interval goes on through both days', () => {
  const spring = ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-29T02:00']
  expect(times('*/30 * * * *', '2026-03-29T00:10Z', 4)).toEqual(spring)
  const autumn = ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00', '2026-10-25T03:00']
  expect(times('0 * * * *', '2026-10-24T23:30Z', 4)).toEqual(autumn)
})

test('[Q04] what is shorter than a minute, never comes or is nowhere is refused where it stands', () => {
  const five = 'must have five fields: minute, hour, day, month and weekday; a minute is the shortest interval'
  expect(problemsOf('{ schedule: "* * * * * *" }')).toEqual([`triggers.0.schedule 6 ${five}`])
  const never = 'is not a cron expression, or never fires'
  for (const schedule of ['0 0 30 2 *', '99 * * * *', '0 9 * * mondays', '0 0 1 1 9999']) {
    expect(problemsOf(`{ schedule: "${schedule}" }`)).toEqual([`triggers.0.schedule 6 ${never}`])
  }
  expect(problemsOf('{ schedule: "H * * * *" }')).toEqual(['triggers.0.schedule 6 is not a cron expression'])
  expect(problemsOf('{ schedule: "0 9 * * *", timezone: "+02:00" }')).toEqual([
    'triggers.0.timezone 6 is unknown: use a name such as Europe/Berlin',
  ])
  expect(problemsOf('{ schedule: "0 9 * * *", timezone: Mars/Olympus }')).toHaveLength(1)
  expect(problemsOf('{ schedule: "* * * * *" }')).toEqual([])
  expect(problemsOf('{ schedule: "0 9 * * 1-5", timezone: Europe/Berlin }')).toEqual([])
})

test('two triggers of one name, and a name that is given to those without, are refused', () => {
  expect(problemsOf('{ name: a, webhook: {} }\n  - { name: a, webhook: {} }')).toEqual([
    'triggers 5 two have the same name',
  ])
  expect(problemsOf('{ name: webhook-2, webhook: {} }')).toHaveLength(1)
  expect(problemsOf('{ webhook: { signature: none } }')[0]).toContain(
    'webhook.signature: Invalid option: expected one of "standard"|"github"|"slack"',
  )
})
