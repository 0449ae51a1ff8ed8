// @vitest-environment happy-dom
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { useOfferedCommands, usePageCommands } from './page-commands.ts'

function Part({ label }: { label: string }) {
  usePageCommands([{ id: label, group: 'This page', label, icon: Pencil, run: () => undefined }])
  return null
}

function Offered() {
  return (
    <ul>
      {useOfferedCommands().map(({ label }) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  )
}

function Page() {
  const [hasSecond, setSecond] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setSecond(false)}>
        Leave
      </button>
      <Part label="Run main.py" />
      {hasSecond && <Part label="Rename workspace" />}
      <Offered />
    </>
  )
}

test('the palette has the commands of all parts of a page, until they go', async () => {
  const page = await openPage(<Page />)
  const shown = () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent).toSorted()
  expect(shown()).toEqual(['Rename workspace', 'Run main.py'])
  await page.press(page.button('Leave'))
  expect(shown()).toEqual(['Run main.py'])
})
