import type { MessagePart } from '@coherex/contract'
import { expect, test } from 'vitest'
import { findChangedFiles } from './find-changed-files.ts'

const done = (tool: string, input: object, data?: unknown): MessagePart => ({
  type: `tool-${tool}`,
  state: 'output-available',
  input,
  output: { text: '', data },
})

test('files that were written are named once, as they are called now', () => {
  const parts = [
    { type: 'text', text: 'Hello' },
    done('write_file', { path: 'a.py' }),
    done('read_file', { path: 'read.py' }),
    done('edit_file', { path: 'a.py' }),
    done('write_file', { path: 'old.py' }),
    done('move_file', { from: 'old.py', to: 'new.py' }),
    done('write_file', { path: 'gone.py' }),
    done('delete_file', { path: 'gone.py' }),
  ]
  expect(findChangedFiles(parts)).toEqual(['a.py', 'new.py'])
})

test('what a program wrote counts, and what failed or waits as a proposal does not', () => {
  const call = (path: string, outcome: string) => ({ tool: 'write_file', input: { path }, outcome })
  const parts = [
    done('run_program', { code: '' }, { calls: [call('p.py', 'done'), call('q.py', 'failed')] }),
    done('edit_file', { path: 'shared.py' }, { proposalId: 'prop_1', diff: '' }),
    { ...done('write_file', { path: 'failed.py' }), state: 'output-error' },
  ]
  expect(findChangedFiles(parts)).toEqual(['p.py'])
})
