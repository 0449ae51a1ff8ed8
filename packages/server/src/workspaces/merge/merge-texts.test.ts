import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toLines } from './line-hunks.ts'
import { mergeTexts } from './merge-texts.ts'
import { findPersonalLines, isPersonal } from './personal-lines.ts'

const base = 'one\ntwo\nthree\nfour\nfive\n'
const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n')
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''))

describe('mergeTexts()', () => {
  test.each([
    [
      'changes of different lines',
      'ONE\ntwo\nthree\nfour\nfive\n',
      'one\ntwo\nthree\nfour\nFIVE\n',
      'ONE\ntwo\nthree\nfour\nFIVE\n',
    ],
    [
      'neighbouring lines',
      'one\nTWO\nthree\nfour\nfive\n',
      'one\ntwo\nTHREE\nfour\nfive\n',
      'one\nTWO\nTHREE\nfour\nfive\n',
    ],
    [
      'a removal and an addition',
      'one\ntwo\nthree\nfour\n',
      'zero\none\ntwo\nthree\nfour\nfive\n',
      'zero\none\ntwo\nthree\nfour\n',
    ],
    [
      'the same change twice',
      'one\n2\nthree\nfour\nfive\n',
      'one\n2\nthree\nfour\nfive\n',
      'one\n2\nthree\nfour\nfive\n',
    ],
  ])('keeps both sides: %s', (_name, mine, theirs, expected) => {
    expect(mergeTexts({ base, mine, theirs })).toEqual({ text: expected, conflicts: [] })
  })

  test('where both change a line, mine is taken and theirs is named', () => {
    const [mine, theirs] = [base.replace('two', 'mine'), base.replace('two', 'theirs').replace('one\n', 'zero\none\n')]
    expect(mergeTexts({ base, mine, theirs })).toEqual({
      text: 'zero\none\nmine\nthree\nfour\nfive\n',
      conflicts: [{ start: 2, end: 3, lines: ['theirs\n'] }],
    })
  })

  test('two who add at the same place are in conflict', () => {
    const { conflicts } = mergeTexts({ base, mine: `${base}mine\n`, theirs: `${base}theirs\n` })
    expect(conflicts).toMatchObject([{ start: 5, end: 6 }])
  })

  test('one side alone is that side, whatever it is', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(mergeTexts({ base: before, mine: after, theirs: before })).toEqual({ text: after, conflicts: [] })
        expect(mergeTexts({ base: before, mine: before, theirs: after })).toEqual({ text: after, conflicts: [] })
      }),
    )
  })

  test('without a conflict the sides can be exchanged', () => {
    fc.assert(
      fc.property(text, text, text, (before, mine, theirs) => {
        const [one, other] = [
          mergeTexts({ base: before, mine, theirs }),
          mergeTexts({ base: before, mine: theirs, theirs: mine }),
        ]
        fc.pre(one.conflicts.length === 0)
        expect(other).toEqual(one)
      }),
    )
  })
})

describe('findPersonalLines()', () => {
  test('lines that a person changed are marked, and lines that a person took away leave a mark', () => {
    const steps = [
      { text: 'one\nTWO\nthree\nfour\nfive\n', byPerson: true },
      { text: 'one\nTWO\nthree\nFOUR\nfive\n', byPerson: false },
      { text: 'one\nTWO\nFOUR\nfive\n', byPerson: true },
    ]
    const personal = findPersonalLines(base, steps)
    expect(personal.lines).toEqual([false, true, false, false])
    expect(personal.gaps).toEqual([false, false, true, false, false])
    expect(isPersonal(personal, { start: 0, end: 1 })).toBe(false)
    expect(isPersonal(personal, { start: 1, end: 2 })).toBe(true)
    expect(isPersonal(personal, { start: 3, end: 4 })).toBe(false)
    expect(findPersonalLines(base, [{ text: 'one\ntwo\n', byPerson: true }]).gaps).toEqual([false, false, true])
  })

  test('an agent that changes a person’s line does not make it its own', () => {
    const steps = [
      { text: base.replace('two', 'person'), byPerson: true },
      { text: base.replace('two', 'agent'), byPerson: false },
    ]
    expect(findPersonalLines(base, steps).lines).toEqual([false, true, false, false, false])
    const gone = { text: base.replace('two\n', ''), byPerson: false }
    expect(findPersonalLines(base, [...steps, gone]).gaps).toEqual([false, true, false, false, false])
  })

  test('there is a mark for each line, and none when no person changed anything', () => {
    const step = fc.record({ text, byPerson: fc.boolean() })
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 5 }), (before, steps) => {
        const { lines, gaps } = findPersonalLines(before, steps)
        const last = toLines(steps.at(-1)?.text ?? before)
        expect([lines.length, gaps.length]).toEqual([last.length, last.length + 1])
        if (!steps.some(({ byPerson }) => byPerson)) expect([...lines, ...gaps].includes(true)).toBe(false)
      }),
    )
  })
})
