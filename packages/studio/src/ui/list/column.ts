import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Narrow screens leave it out. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
  align?: 'right'
  /** It names the row and holds its link; the first column does unless one says so. */
  isName?: boolean
  /** Classes of the cell, such as a width. */
  className?: string
}

const fromClass = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
}

export function cellClass<Row>(column: Column<Row>, base: string): string {
  return classNames(
    base,
    'px-2 first:pl-5 last:pr-4 max-md:first:pl-4 max-md:last:pr-3',
    column.align === 'right' ? 'text-right' : 'text-left',
    column.from && fromClass[column.from],
    column.className,
  )
}
