// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { DefinitionForm } from './definition-form.tsx'

const definition = `# ours
kind: agent
name: greeter
description: Greets
instructions: Greet.
`
let source: string

function Page({ first = definition, canEdit = true }: { first?: string; canEdit?: boolean }) {
  const [text, setText] = useState(first)
  function change(next: string) {
    source = next
    setText(next)
  }
  return <DefinitionForm source={text} canEdit={canEdit} onChange={change} />
}

test('DefinitionForm edits the text field by field, and comments and all else stay', async () => {
  const page = await openPage(<Page />)
  expect(page.field('Description').value).toBe('Greets')
  await page.type(page.field('Description'), 'Greets: everyone')
  expect(source).toBe(definition.replace('Greets', '"Greets: everyone"'))
  await page.type(page.field('Instructions'), 'Greet.\nAnd smile.')
  expect(source).toContain('instructions: |\n  Greet.\n  And smile.\n')
  await page.type(page.field('Steps'), '7')
  expect(source).toContain('limits:\n  steps: 7\n')
  // an empty field is no field
  await page.type(page.field('Steps'), '')
  expect(source).not.toContain('limits')
  expect(source.startsWith('# ours\n')).toBe(true)
})

test('DefinitionForm of a reader cannot be typed in', async () => {
  const page = await openPage(<Page canEdit={false} />)
  expect(page.field('Description').readOnly).toBe(true)
  expect(page.field('Instructions').readOnly).toBe(true)
})

test('DefinitionForm asks to fix a text that it cannot read', async () => {
  await openPage(<Page first="description: [" />)
  expect(document.body.textContent).toContain('Fix the text to use the form')
  expect(document.querySelector('textarea')).toBeNull()
})

test('DefinitionForm lists the published tools of the team with what they do, to be ticked', async () => {
  const page = await openPage(<Page />)
  await vi.waitFor(async () => {
    const asked = page.takeRequests().find(({ path }) => path.startsWith('/api/v1/tools?'))
    if (!asked) throw new Error('The tools were not asked for yet')
    expect(new URLSearchParams(asked.path.split('?')[1]).get('status')).toBe('published')
    const item = { name: 'invoice', description: 'Adds up an invoice', status: 'published', version: 3 }
    await asked.answer(200, { items: [item], nextCursor: null })
  })
  await vi.waitFor(() => expect(document.body.textContent).toContain('Adds up an invoice'))
  const box = [...document.querySelectorAll('label')].find((label) => label.textContent?.includes('tool:invoice'))
  await act(async () => box?.click())
  expect(source).toContain('tools: [tool:invoice]')
})

test('DefinitionForm adds packages of PyPI and of npm, and shows them to a reader', async () => {
  const page = await openPage(<Page first={`${definition}packages: [polars>=1]\n`} />)
  await vi.waitFor(
    async () => {
      await act(async () => undefined)
      page.field('npm packages')
    },
    { timeout: 10_000 },
  )
  await page.type(page.field('npm packages'), 'es-toolkit@1')
  await act(async () => {
    page.field('npm packages').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  expect(source).toContain('packages:\n  - polars>=1\n  - npm:es-toolkit@1\n')
  const reader = await openPage(<Page first={source} canEdit={false} />)
  expect(reader.field('Packages').value).toBe('polars>=1 npm:es-toolkit@1')
})
