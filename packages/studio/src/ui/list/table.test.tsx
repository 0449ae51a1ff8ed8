// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { Table, type Column } from './table.tsx'

interface Row {
  id: number
}

const columns: Column<Row>[] = [
  { key: 'when', header: 'When', cell: () => <time title="exactly">now</time> },
  { key: 'name', header: 'Name', isName: true, cell: ({ id }) => `Row ${id}` },
  { key: 'act', header: '', cell: ({ id }) => <button type="button">Stop {id}</button> },
]

async function openTable(count: number, onOpen?: (row: Row) => void) {
  const rows = Array.from({ length: count }, (_, id) => ({ id }))
  const table = (
    <Table
      label="Rows"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => String(id)}
      linkOf={({ id }) => ({ to: '/runs/$id', params: { id: `run_${id}` } })}
      onOpen={onOpen}
    />
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: () => table, notFoundComponent: () => table }),
    history: createMemoryHistory(),
  })
  await router.load()
  // of another tree than the studio's, which the types know
  await openPage(<RouterProvider router={router as never} />)
  return router
}

const drawn = () => [...document.querySelectorAll<HTMLElement>('tbody tr[data-index]')]
const press = (key: string, init: KeyboardEventInit = {}) =>
  act(
    async () =>
      void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init })),
  )

test('a row has a link with its address; a plain click opens it, a click with Ctrl is left to the browser', async () => {
  const onOpen = vi.fn<(row: Row) => void>()
  await openTable(3, onOpen)
  const links = [...document.querySelectorAll<HTMLAnchorElement>('tbody a')]
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    [0, 1, 2].map((id) => [`Row ${id}`, `/runs/run_${id}`]),
  )
  const click = async (element: Element | null | undefined, init: MouseEventInit = {}) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init })
    await act(async () => void element?.dispatchEvent(event))
    return event.defaultPrevented
  }
  expect([await click(links[1]), onOpen.mock.calls]).toEqual([true, [[{ id: 1 }]]])
  // its time lies above the link, and leads there too; its button does not
  await click(document.querySelectorAll('time')[2])
  await click(document.querySelectorAll('tbody button')[0])
  expect(onOpen.mock.calls).toEqual([[{ id: 1 }], [{ id: 2 }]])
  expect(await click(links[0], { ctrlKey: true })).toBe(false)
  expect(onOpen).toHaveBeenCalledTimes(2)
})

test('10,000 rows draw fewer than 100, and keys reach every one of them', async () => {
  const onOpen = vi.fn<(row: Row) => void>()
  await openTable(10_000, onOpen)
  expect(drawn().length).toBeLessThan(100)
  expect(document.querySelector('table')?.getAttribute('aria-rowcount')).toBe('10001')
  await act(async () => drawn()[0]?.focus())
  await press('j')
  expect(document.activeElement?.getAttribute('data-index')).toBe('1')
  await press('End')
  expect(document.activeElement?.getAttribute('data-index')).toBe('9999')
  await press('ArrowUp')
  await press('Enter')
  expect(onOpen.mock.calls).toEqual([[{ id: 9998 }]])
  expect(drawn().length).toBeLessThan(100)
})
