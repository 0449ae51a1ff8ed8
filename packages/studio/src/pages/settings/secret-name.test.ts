import { secretName } from '@coherex/contract'
import { expect, test } from 'vitest'
import { secretNameProblem } from './secret-name.ts'

test.each(['A', 'GITHUB_TOKEN', 'A1_', 'X'.repeat(64), 'X'.repeat(65), '', '1A', '_A', 'lower', 'A-B', 'A B', 'Ä'])(
  'form and server agree on %j',
  (name) => {
    expect(secretNameProblem(name) === undefined).toBe(secretName.safeParse(name).success)
  },
)
