import { inspect } from 'node:util'
import { ResultError } from '../../../../isolate/guest/result.ts'
import type { GuestError } from '../../../../protocol/messages.ts'
import { stackWithCauses } from '../../node/stack-with-causes.ts'
import { EntryError } from '../../node/strip-types.ts'
import type { CellSource } from './cell-source.ts'

const maxMessage = 4000
const maxStack = 16_000

/** What went wrong, in cells and lines. `sources` has the cells run so far by their names. */
export function describeError(error: unknown, cell: string, sources: ReadonlyMap<string, CellSource>): GuestError {
  if (error instanceof EntryError) {
    return { kind: 'syntax', message: `SyntaxError: ${error.message}`, ...place(error.line, error.column) }
  }
  if (!isError(error)) return { kind: 'runtime', message: `Uncaught ${inspect(error).slice(0, maxMessage)}` }
  const stack = ownStack(stackWithCauses(error), sources)
  const at = new RegExp(`${cell}:(\\d+)(?::(\\d+))?`).exec(stack)
  return {
    // what only V8 finds when it compiles has the place before the message
    kind: stack.startsWith(`${cell}:`) && error.name === 'SyntaxError' ? 'syntax' : kindOf(error),
    message: `${error.name}: ${error.message}`.slice(0, maxMessage),
    ...place(at?.[1], at?.[2]),
    stack: stack.slice(0, maxStack),
  }
}

function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && 'name' in value
}

function place(line: number | string | undefined, column: number | string | undefined) {
  return { ...(line !== undefined && { line: Number(line) }), ...(column !== undefined && { column: Number(column) }) }
}

function kindOf(error: Error): GuestError['kind'] {
  if (error instanceof ResultError) return 'output'
  return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'denied' : 'runtime'
}

function ownStack(stack: string, sources: ReadonlyMap<string, CellSource>): string {
  return stack
    .split('\n')
    .filter((line) => !/\/opt\/coherex\/|node:(?:internal|vm)/.test(line))
    .map((line) =>
      line.replace(/(Cell \d+):(\d+):(\d+)/, (all, cell: string, row: string, column: string) => {
        const at = sources.get(cell)?.placeOf(Number(row), Number(column))
        return at ? `${cell}:${at.line}:${at.column}` : all
      }),
    )
    .join('\n')
}
