// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { PlainEditor } from './plain-editor.tsx'

test('PlainEditor runs the cell of the line, and with Shift goes on to the next one', async () => {
  const text = '# %%\na = 1\n# %%\nprint(a)\n'
  const [whole, parts] = [vi.fn<() => void>(), vi.fn<(code: string, last: number) => void>()]
  await openPage(
    <PlainEditor
      note={undefined}
      label="a.py"
      folder="f"
      files={{ 'a.py': text }}
      active="a.py"
      onRun={whole}
      onRunPart={parts}
    />,
  )
  const area = document.querySelector('textarea')
  area?.setSelectionRange(6, 6)
  const press = (init: KeyboardEventInit) =>
    area?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }))
  press({ shiftKey: true })
  press({ ctrlKey: true })
  expect(parts.mock.calls).toEqual([
    ['# %%\na = 1\n', 2],
    ['\n\n# %%\nprint(a)\n\n', 4],
  ])
  expect(whole).not.toHaveBeenCalled()
})
