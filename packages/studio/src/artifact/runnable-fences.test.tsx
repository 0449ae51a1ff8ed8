// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { RunnableFences } from './runnable-fences.tsx'

const text = '```js title="Call"\n1 + 1\n```\n\n```go\npackage main\n```\n'

test('RunnableFences gives Run to fences that this browser runs, and to no others', async () => {
  vi.stubGlobal('Worker', class {})
  await openPage(
    <RunnableFences>
      <Markdown text={text} />
    </RunnableFences>,
  )
  const sections = [...document.querySelectorAll('section[aria-label^="Block: "]')]
  expect(sections.map((one) => one.getAttribute('aria-label'))).toEqual(['Block: Call'])
  expect(sections[0]?.querySelector('button')?.textContent).toBe('Run')
  expect(document.body.textContent).toContain('package main')
})
