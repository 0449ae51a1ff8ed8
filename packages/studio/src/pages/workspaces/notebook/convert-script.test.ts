import { expect, test } from 'vitest'
import { toNotebook, toScript } from './convert-script.ts'
import { readNotebook } from './notebook-text.ts'

const script = `import math

# %% [markdown]
# # Circles
#
# With a radius of *r*.

# %% Area
r = 2
# %matplotlib inline
print(math.pi * r**2)  # 50 %% of it

# %% [raw]
# as it is
`

function read(text: string) {
  const notebook = readNotebook(text)
  if (typeof notebook === 'string') throw new Error(notebook)
  return notebook
}

test('toNotebook() makes cells of the marks of a script, with the lines before the first', () => {
  const { cells, languageName, minor } = read(toNotebook(script, 'python'))
  expect([languageName, minor]).toEqual(['python', 5])
  expect(cells.map(({ kind, source, title }) => [kind, source, title])).toEqual([
    ['code', 'import math', undefined],
    ['markdown', '# Circles\n\nWith a radius of *r*.', undefined],
    ['code', 'r = 2\n%matplotlib inline\nprint(math.pi * r**2)  # 50 %% of it', 'Area'],
    ['raw', 'as it is', undefined],
  ])
  expect(new Set(cells.map(({ key }) => key)).size).toBe(4)
})

test('toScript() and toNotebook() keep the cells of each other', () => {
  expect(toScript(read(toNotebook(script, 'python')), 'python')).toBe(`# %%\n${script}`)
  const sql = '-- %%\nselect 1;\n\n-- %% [markdown]\n-- Then two.\n'
  expect(toScript(read(toNotebook(sql, 'sql')), 'sql')).toBe(sql)
  const code = '// %%\nlet a = 1\n\n// %%\na # %% b\n'
  expect(toScript(read(toNotebook(code, 'javascript')), 'javascript')).toBe(code)
})

test('toNotebook() makes one cell of a script without marks', () => {
  expect(read(toNotebook('a = 1\r\nb = 2\r\n', 'python')).cells.map(({ source }) => source)).toEqual(['a = 1\nb = 2'])
  expect(read(toNotebook('', 'python')).cells).toEqual([])
})
