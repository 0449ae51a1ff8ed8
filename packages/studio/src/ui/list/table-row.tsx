import { Link, type LinkProps } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent, Ref } from 'react'
import { classNames } from '../class-names.ts'
import { cellClass, type Column } from './column.ts'

export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>

interface TableRowProps<Row> {
  index: number
  row: Row
  columns: readonly Column<Row>[]
  link: RowLink | undefined
  isOpen: boolean
  isTabStop: boolean
  isLast: boolean
  onOpen: (() => void) | undefined
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => void
  ref: Ref<HTMLTableRowElement> | undefined
}

/** A row whose link covers it: what else can be pressed or hovered in it lies above. */
export function TableRow<Row>(props: TableRowProps<Row>) {
  const { index, row, columns, link, isOpen, isTabStop, isLast, onOpen, onFocus, onKeyDown, ref } = props
  const named = columns.find(({ isName }) => isName) ?? columns[0]
  const open = (event: MouseEvent) => {
    if (!onOpen || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen()
  }
  // what lies above the link and is no control of its own leads where the link does
  const pressBeside = (event: MouseEvent<HTMLTableRowElement>) => {
    if (event.target instanceof Element && event.target.closest('a, button, input, label, [role]:not([role=row])'))
      return
    event.currentTarget.querySelector<HTMLAnchorElement>('a[data-row-link]')?.click()
  }
  return (
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isOpen || undefined}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={link && pressBeside}
      className={classNames(
        'group/row relative focus-visible:outline-2! focus-visible:-outline-offset-2! focus-visible:outline-focus!',
        '[&_:is(button,a:not([data-row-link]),[title])]:relative [&_:is(button,a:not([data-row-link]),[title])]:z-1',
        isOpen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.key}
          className={cellClass(column, classNames('h-11 border-line py-1.5', isLast ? 'border-0' : 'border-b'))}
        >
          {link && column === named ? (
            <Link
              {...link}
              data-row-link
              tabIndex={-1}
              onClick={open}
              className="block min-w-0 outline-none after:absolute after:inset-0"
            >
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}
