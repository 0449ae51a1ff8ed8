// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { FileChange } from './file-change.tsx'

const file = { path: 'src/report.py', change: 'changed', binary: false } as const
const diff = `--- a/src/report.py
+++ b/src/report.py
@@ -41,5 +41,6 @@
 rows = load()
-total = sum(rows)
+total = sum(rows, 0)
+check(total)
 a
 b
 c
`
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)

test('FileChange says in words which lines were added and removed, with their numbers', async () => {
  await openPage(<FileChange {...file} diff={diff} />)
  expect(texts('h3')).toEqual(['src/report.py'])
  expect(document.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('2 added, 1 removed lines')
  expect(texts('tr')).toEqual([
    '40 lines unchanged',
    '4141rows = load()',
    '42−removed: total = sum(rows)',
    '42+added: total = sum(rows, 0)',
    '43+added: check(total)',
    '4344a',
    '4445b',
    '4546c',
    '…',
  ])
})

test('FileChange opens the lines between changes from the whole file', async () => {
  const text = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n')
  const page = await openPage(
    <FileChange {...file} diff={diff} whole={{ side: 'after', read: () => Promise.resolve(`${text}\n`) }} />,
  )
  await page.press(page.button('Show 40 lines'))
  expect(texts('tr').slice(0, 2)).toEqual(['11line 1', '22line 2'])
  expect(texts('tr')[39]).toBe('4040line 40')
  await page.press(page.button('Show the rest'))
  expect(texts('tr').slice(-4)).toEqual(['4647line 47', '4748line 48', '4849line 49', '4950line 50'])
})

test('FileChange shows characters that cannot be seen, in lines and in the path', async () => {
  const hidden = '--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+if admin\u202E:\u200B\t<U+200B>\n'
  await openPage(<FileChange path={'a\u2066.py'} change="added" binary={false} diff={hidden} />)
  expect(texts('mark')).toEqual(['<U+2066>', '<U+202E>', '<U+200B>'])
  expect(texts('tr')).toEqual(['1+added: if admin<U+202E>:<U+200B>\t<U+200B>'])
})

test('FileChange says why there are no lines: binary, unchanged or too large until asked for', async () => {
  await openPage(<FileChange {...file} binary diff="" />)
  expect(texts('p')).toEqual(['Not text: the file is replaced as a whole.'])
  await openPage(<FileChange {...file} change="moved" from="old.py" diff="" />)
  expect(texts('h3').at(-1)).toBe('old.py → src/report.py')
  expect(texts('p').at(-1)).toBe('Its content stays the same.')
  const lines = Array.from({ length: 620 }, (_, index) => `+value ${index} ${'x'.repeat(500)}`)
  const page = await openPage(<FileChange {...file} change="added" diff={`@@ -0,0 +1,620 @@\n${lines.join('\n')}\n`} />)
  expect(texts('tr')).toEqual([])
  await page.press(page.button('Show it'))
  expect(texts('tr')).toHaveLength(600)
  await page.press(page.button('Show 20 more lines'))
  expect(texts('tr')).toHaveLength(620)
})
