// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { toKind, withProperties, type Schema } from './edit-schema.ts'
import { SchemaForm } from './schema-form.tsx'

const begun: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['lines'],
  properties: {
    lines: { type: 'array', items: { type: 'object', properties: { price: { type: 'number', minimum: 0 } } } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
}

function Form({ onChange }: { onChange: (schema: Schema) => void }) {
  const [value, setValue] = useState(begun)
  const change = (next: Schema) => {
    setValue(next)
    onChange(next)
  }
  return <SchemaForm label="input" schema={value} canEdit onChange={change} />
}

const named = (label: string) => {
  const found = document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)
  if (!found) throw new Error(`There is no "${label}"`)
  return found
}
const leave = (field: HTMLInputElement) =>
  act(async () => void field.dispatchEvent(new FocusEvent('focusout', { bubbles: true })))

test('SchemaForm changes what is pressed and typed, and keeps every word that it does not know', async () => {
  const onChange = vi.fn()
  const page = await openPage(<Form onChange={onChange} />)
  expect(document.body.textContent).toContain('Edit this part as JSON.')
  await page.type(named('Description of price'), 'Before tax')
  await page.press(page.button('Add field to input'))
  const fresh = [...document.querySelectorAll<HTMLInputElement>('[aria-label="Name of the field"]')].at(-1)
  expect(fresh?.value).toBe('field3')
  if (fresh) {
    await page.type(fresh, 'lines')
    await leave(fresh)
    // another field has that name
    expect(fresh.value).toBe('field3')
    await page.type(fresh, 'currency')
    await leave(fresh)
  }
  await page.press(page.button('Delete note'))
  expect(onChange.mock.lastCall?.[0]).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['lines', 'currency'],
    properties: {
      lines: {
        type: 'array',
        items: { type: 'object', properties: { price: { type: 'number', minimum: 0, description: 'Before tax' } } },
      },
      currency: { type: 'string' },
    },
  })
})

test('another kind of value keeps what the field is for, and no field that is needed leaves no list behind', () => {
  expect(toKind({ type: 'number', minimum: 1, description: 'How many' }, 'text')).toEqual({
    type: 'string',
    description: 'How many',
  })
  expect(withProperties({ type: 'object', required: ['a'] }, [])).toEqual({ type: 'object', properties: {} })
})
