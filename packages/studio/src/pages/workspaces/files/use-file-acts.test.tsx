// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { toNotebook } from '../notebook/convert-script.ts'
import { useFileActs } from './use-file-acts.ts'

const texts: Record<string, string> = { 'src/notes.py': '# %%\na = 1\n\n# %%\na\n', 'old.ipynb': '{"nbformat": 3}' }
texts['plan.ipynb'] = toNotebook('-- %%\nselect 1', 'sql')

function Page({ path, onConverted }: { path: string; onConverted: (path: string) => void }) {
  const acts = useFileActs({
    ...{ id: 'wsp_1', taken: new Set([...Object.keys(texts), 'src/notes.ipynb']), onConverted },
    ...{ onMoved: () => undefined, onMade: () => undefined, textAt: (one: string) => texts[one] },
  })
  return (
    <button type="button" onClick={() => void acts.convert(path)}>
      Convert
    </button>
  )
}

async function convert(path: string) {
  const onConverted = vi.fn()
  const page = await openPage(<Page path={path} onConverted={onConverted} />)
  const written = vi.fn()
  // a text goes as it is: no JSON to read
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    written(url, init.body)
    return new Response(JSON.stringify({ path, version: 1, hash: '', size: 1 }), { status: 200 })
  })
  await page.press(page.button('Convert'))
  return { written, onConverted }
}

test('useFileActs() writes a script as a notebook beside it, under a free name', async () => {
  const { written } = await convert('src/notes.py')
  await vi.waitFor(() => expect(written).toHaveBeenCalled())
  const [url, body] = written.mock.calls[0] as [string, string]
  expect(decodeURIComponent(url)).toContain('/files/src/notes 2.ipynb?expectedVersion=0')
  expect(JSON.parse(body)).toMatchObject({ nbformat: 4, cells: [{ source: ['a = 1'] }, { source: ['a'] }] })
})

test('useFileActs() writes a notebook as a script of its language', async () => {
  const { written } = await convert('plan.ipynb')
  await vi.waitFor(() => expect(written).toHaveBeenCalled())
  const [url, body] = written.mock.calls[0] as [string, string]
  expect(url).toContain('/files/plan.sql')
  expect(body).toBe('-- %%\nselect 1\n')
})

test('useFileActs() writes nothing where a file is no notebook of format 4', async () => {
  const { written, onConverted } = await convert('old.ipynb')
  await new Promise((done) => setTimeout(done, 50))
  expect([written.mock.calls, onConverted.mock.calls]).toEqual([[], []])
})
