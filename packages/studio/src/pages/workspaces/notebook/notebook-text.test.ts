import { expect, test } from 'vitest'
import type { TextEdit } from '../../../live/replace-text.ts'
import { applyEdits } from './json-text.ts'
import {
  editKind,
  editOutputs,
  editSource,
  insertCell,
  insertRaw,
  moveCell,
  rawOf,
  readNotebook,
  removeCell,
  type NotebookText,
} from './notebook-text.ts'

/** As Jupyter writes it, with what only others know: metadata of editors, widgets, attachments, a number of its own form. */
const text = `{
 "cells": [
  {
   "attachments": {
    "plot.png": {
     "image/png": "iVBORw0KGgo="
    }
   },
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {
    "tags": ["keep", "me"],
    "weight": 1.0e2
   },
   "source": [
    "# Sales\\n",
    "![plot](attachment:plot.png)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "load",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "caf\\u00e9\\n"
     ]
    }
   ],
   "source": [
    "x = 20\\n",
    "print('caf\\u00e9')"
   ]
  },
  {
   "cell_type": "raw",
   "id": "raw",
   "metadata": {},
   "source": "one text"
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "R",
   "language": "R",
   "name": "ir"
  },
  "widgets": {
   "application/vnd.jupyter.widget-state+json": {
    "state": {}
   }
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

function read(of: string): NotebookText {
  const notebook = readNotebook(of)
  if (typeof notebook === 'string') throw new Error(notebook)
  return notebook
}
const cellOf = (notebook: NotebookText, at: number) => notebook.cells[at] ?? expect.fail()
const change = (edit: (notebook: NotebookText) => TextEdit[], of = text) => applyEdits(of, edit(read(of)))
/** The lines that are in one text alone, in order. */
function differing(before: string, after: string) {
  const [one, other] = [before.split('\n'), after.split('\n')]
  let [start, end] = [0, 0]
  while (one[start] === other[start]) start++
  while (one.at(-1 - end) === other.at(-1 - end)) end++
  return { gone: one.slice(start, one.length - end), come: other.slice(start, other.length - end) }
}

test('readNotebook() reads kinds, sources, outputs, counts and the language', () => {
  const { cells, languageName, minor } = read(text)
  expect([languageName, minor]).toEqual(['R', 5])
  expect(cells.map(({ key, kind, source, count }) => [key, kind, source, count])).toEqual([
    ['intro', 'markdown', '# Sales\n![plot](attachment:plot.png)', null],
    ['load', 'code', "x = 20\nprint('café')", 3],
    ['raw', 'raw', 'one text', null],
  ])
  expect(cells[1]?.outputs).toEqual([{ name: 'stdout', output_type: 'stream', text: ['café\n'] }])
})

test('readNotebook() says in a sentence why a text is no notebook of format 4', () => {
  expect(readNotebook('{\n "cells": [,]}')).toBe('This is no notebook yet: line 2 is not JSON.')
  expect(readNotebook('')).toBe('This is no notebook yet: line 1 is not JSON.')
  expect(readNotebook('{"nbformat": 3, "worksheets": []}')).toContain('This notebook has format 3.')
  expect(readNotebook('[]')).toBe('This is no notebook: it has no "nbformat" of 4 with "cells".')
  expect(readNotebook('{"nbformat": 4, "cells": [{"cell_type": "heading"}]}')).toContain('Cell 1')
  expect(readNotebook(`${'['.repeat(100_000)}`)).toContain('is not JSON')
})

test('editSource() changes the lines of the source alone, and keeps one text as one', () => {
  const changed = change((notebook) => editSource(notebook, cellOf(notebook, 1), "x = 21\nprint('café')"))
  expect(differing(text, changed)).toEqual({
    gone: ['    "x = 20\\n",', '    "print(\'caf\\u00e9\')"'],
    come: ['    "x = 21\\n",', '    "print(\'café\')"'],
  })
  const raw = change((notebook) => editSource(notebook, cellOf(notebook, 2), 'two\nlines'))
  expect(differing(text, raw)).toEqual({
    gone: ['   "source": "one text"'],
    come: ['   "source": "two\\nlines"'],
  })
  const empty = change((notebook) => editSource(notebook, cellOf(notebook, 1), ''))
  expect(cellOf(read(empty), 1).source).toBe('')
  expect(empty).toContain('"source": []')
})

test('editSource() with the same source leaves every byte of a file in Jupyter’s own form', () => {
  const plain = text.replaceAll('\\u00e9', 'é')
  for (const at of [0, 1, 2]) {
    expect(change((notebook) => editSource(notebook, cellOf(notebook, at), cellOf(notebook, at).source), plain)).toBe(
      plain,
    )
  }
})

test('editOutputs() writes outputs as Jupyter does, within the cell', () => {
  const changed = change((notebook) =>
    editOutputs(
      notebook,
      cellOf(notebook, 1),
      [
        { output_type: 'stream', name: 'stdout', text: 'a\nb' },
        { output_type: 'execute_result', execution_count: 4, data: { 'text/plain': '1\n2' }, metadata: {} },
        { output_type: 'display_data', data: { 'image/png': 'aGk=' }, metadata: {} },
        { output_type: 'error', ename: 'E', evalue: 'no', traceback: ['E: no'] },
      ],
      4,
    ),
  )
  const { gone, come } = differing(text, changed)
  expect([gone[0], gone.at(-1)]).toEqual(['   "execution_count": 3,', '      "caf\\u00e9\\n"'])
  expect(come[0]).toBe('   "execution_count": 4,')
  expect(cellOf(read(changed), 1).outputs).toEqual([
    { name: 'stdout', output_type: 'stream', text: ['a\n', 'b'] },
    { data: { 'text/plain': ['1\n', '2'] }, metadata: {}, execution_count: 4, output_type: 'execute_result' },
    { data: { 'image/png': 'aGk=' }, metadata: {}, output_type: 'display_data' },
    { output_type: 'error', ename: 'E', evalue: 'no', traceback: ['E: no'] },
  ])
})

test('a cell that is moved, or deleted and put back, keeps every byte of the file', () => {
  const moved = change((notebook) => moveCell(notebook, 0, 2))
  expect(read(moved).cells.map(({ key }) => key)).toEqual(['load', 'raw', 'intro'])
  expect(change((notebook) => moveCell(notebook, 2, 0), moved)).toBe(text)
  expect(
    change(
      (notebook) => moveCell(notebook, 1, 2),
      change((notebook) => moveCell(notebook, 2, 1)),
    ),
  ).toBe(text)
  expect(change((notebook) => moveCell(notebook, 0, 3))).toBe(text)
  for (const at of [0, 1, 2]) {
    const raw = rawOf(read(text), cellOf(read(text), at))
    const without = change((notebook) => removeCell(notebook, at))
    expect(read(without).cells).toHaveLength(2)
    expect(change((notebook) => insertRaw(notebook, at, raw), without)).toBe(text)
  }
})

test('insertCell() adds the lines of the new cell alone, with an id from 4.5 on', () => {
  const added = change((notebook) => insertCell(notebook, 1, { kind: 'code', source: 'y\nz' }))
  expect(change((notebook) => removeCell(notebook, 1), added)).toBe(text)
  expect(added.split('\n').length - text.split('\n').length).toBe(11)
  expect(cellOf(read(added), 1)).toMatchObject({ kind: 'code', source: 'y\nz', outputs: [], count: null })
  expect(cellOf(read(added), 1).key).toMatch(/^[0-9a-f]{8}$/)
  const older = text.replace('"nbformat_minor": 5', '"nbformat_minor": 4')
  const inOlder = change((notebook) => insertCell(notebook, 0, { kind: 'markdown', source: '' }), older)
  expect(cellOf(read(inOlder), 0).key).toBe('#0')
})

test('insertCell() and removeCell() take a notebook from none to one cell and back, on many lines or on one', () => {
  for (const empty of ['{\r\n\t"cells": [],\r\n\t"nbformat": 4\r\n}', '{"cells":[],"nbformat":4}']) {
    const one = change((notebook) => insertCell(notebook, 0, { kind: 'markdown', source: 'hi' }), empty)
    expect(cellOf(read(one), 0)).toMatchObject({ kind: 'markdown', source: 'hi' })
    expect(one.includes('\n')).toBe(empty.includes('\n'))
    expect(one.replaceAll('\r\n', '')).not.toContain('\n')
    const two = change((notebook) => insertCell(notebook, 1, { kind: 'code', source: '1' }), one)
    expect(read(two).cells.map(({ kind }) => kind)).toEqual(['markdown', 'code'])
    expect(change((notebook) => removeCell(notebook, 0), one)).toBe(empty)
  }
})

test('editKind() adds what code needs and takes away what others must not have', () => {
  const code = change((notebook) => editKind(notebook, cellOf(notebook, 0), 'code'))
  expect(Object.keys(JSON.parse(rawOf(read(code), cellOf(read(code), 0))) as object)).toEqual([
    ...['cell_type', 'execution_count', 'id', 'metadata', 'outputs', 'source'],
  ])
  expect(code).toContain('"weight": 1.0e2')
  const words = change((notebook) => editKind(notebook, cellOf(notebook, 1), 'markdown'))
  expect(Object.keys(JSON.parse(rawOf(read(words), cellOf(read(words), 1))) as object)).toEqual([
    ...['cell_type', 'id', 'metadata', 'source'],
  ])
  expect(change((notebook) => editKind(notebook, cellOf(notebook, 2), 'raw'))).toBe(text)
  const back = change((notebook) => editKind(notebook, cellOf(notebook, 1), 'code'), words)
  expect(differing(text, back).come).toEqual([
    '   "execution_count": null,',
    '   "id": "load",',
    '   "metadata": {},',
    '   "outputs": [],',
  ])
})

test('cells with the same id are told apart', () => {
  const twice = text.replace('"id": "raw"', '"id": "load"')
  expect(read(twice).cells.map(({ key }) => key)).toEqual(['intro', 'load', '#2'])
})
