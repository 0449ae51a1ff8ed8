import type { Run } from '@coherex/contract'
import { expect, test } from 'vitest'
import { describeRun } from './describe-run.ts'

test('describeRun() tells the model why a run failed and which fixes the person sees, and hands them on', () => {
  const fixes = [
    { kind: 'allow-host' as const, value: 'https://api.example.com/', label: 'Allow api.example.com and run again' },
  ]
  const summary = 'This sandbox has no network: it asked for api.example.com'
  const error = { kind: 'runtime' as const, message: 'URLError: no', line: 2, stack: 'Traceback', summary, fixes }
  const run = { id: 'run_1', status: 'failed', output: [], files: [], error } as unknown as Run
  expect(describeRun(run)).toEqual({
    text: `${summary}.
Error (runtime) at line 2: URLError: no
Traceback
The person sees these fixes beside the call: Allow api.example.com and run again.`,
    runId: 'run_1',
    error: { message: 'URLError: no', line: 2, summary, fixes },
  })
})
