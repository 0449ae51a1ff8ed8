import { expect, test } from 'vitest'
import { displayForms } from './display-forms.ts'

const kinds = (data: Record<string, unknown>) => displayForms(data).map(({ kind, label }) => `${kind} ${label}`)

test('the richest form comes first, and plain text last', () => {
  expect(kinds({ 'text/plain': 'a b', 'text/html': '<table>' })).toEqual(['html HTML', 'text Text'])
  expect(kinds({ 'text/plain': '{}', 'application/json': {} })).toEqual(['json JSON', 'text Text'])
  expect(kinds({ 'image/png': 'iVBORw0KGgo=', 'text/plain': 'Figure' })).toEqual(['image PNG', 'text Text'])
})

test('LaTeX and Markdown are read, formulas with or without the signs around them', () => {
  const sympy = { 'text/latex': String.raw`$\displaystyle x^{2}$`, 'text/plain': 'x**2' }
  expect(kinds(sympy)).toEqual(['markdown LaTeX', 'text Text'])
  const textOf = (latex: string) => displayForms({ 'text/latex': latex }).map((form) => 'text' in form && form.text)
  expect(textOf(sympy['text/latex'])).toEqual([sympy['text/latex']])
  expect(textOf('\nx^2\n')).toEqual(['$$\nx^2\n$$'])
  expect(kinds({ 'text/markdown': '# Title', 'text/plain': '<Markdown>' })).toEqual(['markdown Markdown', 'text Text'])
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

test('charts are drawn from their data, before the HTML that would fetch a library', () => {
  const altair = { 'application/vnd.vegalite.v5+json': { mark: 'bar' }, 'text/plain': '<Chart>' }
  expect(kinds(altair)).toEqual(['drawing Vega-Lite', 'text Text'])
  const plotly = { 'text/html': '<script src="https://cdn">', 'application/vnd.plotly.v1+json': { data: [] } }
  expect(kinds(plotly)).toEqual(['drawing Plotly', 'html HTML'])
  expect(displayForms(plotly)[0]).toMatchObject({ drawing: 'plotly', code: '{"data":[]}' })
})

test('sound and film are played from what the run sent', () => {
  expect(displayForms({ 'audio/wav': 'UklGRg==' })).toEqual([
    { kind: 'sound', label: 'WAV', url: 'data:audio/wav;base64,UklGRg==' },
  ])
  expect(kinds({ 'video/mp4': '"><script>', 'text/plain': 'x' })).toEqual(['text Text'])
})

test('an unknown form is shown as text', () => {
  expect(displayForms({ 'application/x-own': { a: 1 } })).toEqual([
    { kind: 'text', label: 'application/x-own', text: '{"a":1}' },
  ])
})
