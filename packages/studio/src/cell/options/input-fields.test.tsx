// @vitest-environment happy-dom
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { InputFields } from './input-fields.tsx'
import { fieldsOf, type InputSchema } from './input-schema.ts'

// as Pydantic writes it
const invoice = {
  type: 'object',
  required: ['lines'],
  properties: {
    lines: { type: 'array', items: { $ref: '#/$defs/Line' }, title: 'Lines' },
    due: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'Due' },
  },
  $defs: {
    Line: {
      type: 'object',
      required: ['price'],
      properties: { price: { type: 'number', title: 'Price' }, paid: { type: 'boolean', title: 'Paid' } },
    },
  },
} as InputSchema

function Form({ onChange }: { onChange: (text: string) => void }) {
  const [text, setText] = useState('')
  const change = (next: string) => {
    setText(next)
    onChange(next)
  }
  return <InputFields schema={invoice} text={text} error={undefined} onChange={change} />
}

test('InputFields asks for lists, objects and values that may be null by their schemas', async () => {
  const onChange = vi.fn()
  const typed = () => JSON.parse(String(onChange.mock.lastCall?.[0])) as unknown
  const page = await openPage(<Form onChange={onChange} />)
  await page.press(page.button('Add to Lines'))
  await page.press(page.button('Add to Lines'))
  const prices = () =>
    [...document.querySelectorAll('label')]
      .filter(({ textContent }) => textContent === 'Price')
      .map(({ htmlFor }) => document.querySelector<HTMLInputElement>(`[id="${htmlFor}"]`))
  const [first, second] = prices()
  if (!first || !second) throw new Error('There are no prices')
  await page.type(first, '2.5')
  await page.type(second, 'abc')
  await page.type(page.field('Due'), '2026-01-31')
  expect(typed()).toEqual({ lines: [{ price: 2.5 }, { price: 'abc' }], due: '2026-01-31' })
  expect(document.body.textContent).toContain('Not a number')
  await page.press(page.button('Remove Lines 2'))
  await page.type(page.field('Due'), '')
  expect(typed()).toEqual({ lines: [{ price: 2.5 }] })
  await page.press(page.button('As JSON'))
  await page.type(page.field('Input as JSON'), '[1]')
  expect(() => page.button('As a form')).toThrow('There is no')
})

test('fieldsOf() ends where a schema refers to itself', () => {
  const tree: InputSchema = { type: 'object', properties: { left: { $ref: '#' }, value: { type: 'number' } } }
  let [field] = fieldsOf(tree) ?? []
  let depth = 0
  for (; field?.kind === 'object'; [field] = field.fields) depth++
  expect([depth, field?.kind]).toEqual([4, 'json'])
  expect(fieldsOf({ $ref: '#' })).toBeUndefined()
  expect(fieldsOf({ $ref: '#/nowhere' })).toBeUndefined()
})
