import { expect, test } from 'vitest'
import { readFence } from './read-fence.ts'

test('readFence() finds the language and the title of a fence', () => {
  expect(readFence('python title="load data.py"')).toEqual({ language: 'python', title: 'load data.py' })
  expect(readFence("ts linenums title='a.ts'")).toEqual({ language: 'ts', title: 'a.ts' })
  expect(readFence('filename=run.sh')).toEqual({ language: '', title: 'run.sh' })
  expect(readFence('js {1,3}')).toEqual({ language: 'js' })
  expect(readFence('')).toEqual({ language: '' })
})
