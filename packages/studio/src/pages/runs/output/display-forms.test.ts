import { expect, test } from 'vitest'
import { displayForms } from './display-forms.ts'

const kinds = (data: Record<string, unknown>) => displayForms(data).map(({ kind, label }) => `${kind} ${label}`)

test('the richest form comes first, and plain text last', () => {
  expect(kinds({ 'text/plain': 'a b', 'text/html': '<table>' })).toEqual(['html HTML', 'text Text'])
  expect(kinds({ 'text/plain': '{}', 'application/json': {} })).toEqual(['json JSON', 'text Text'])
  expect(kinds({ 'image/png': 'iVBORw0KGgo=', 'text/plain': 'Figure' })).toEqual(['image PNG', 'text Text'])
})

test('an SVG is an image and cannot end its address', () => {
  const [form] = displayForms({ 'image/svg+xml': '<svg onload="x">"\ud800#' })
  expect(form).toEqual({
    kind: 'image',
    label: 'SVG',
    url: 'data:image/svg+xml;charset=utf-8,%3Csvg%20onload%3D%22x%22%3E%22%EF%BF%BD%23',
  })
})

test('what is no image is not shown as one', () => {
  expect(kinds({ 'image/png': '"><script>', 'text/plain': 'x' })).toEqual(['text Text'])
})

test('an unknown form is shown as text', () => {
  expect(displayForms({ 'application/x-own': { a: 1 } })).toEqual([
    { kind: 'text', label: 'application/x-own', text: '{"a":1}' },
  ])
})
