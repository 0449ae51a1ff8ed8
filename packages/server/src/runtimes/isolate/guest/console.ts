import { format } from './format.ts'
import { inspect } from './inspect.ts'

export type Print = (stream: 'log' | 'info' | 'warn' | 'error' | 'debug', text: string) => void

/** The console of the browser and Node: levels, groups, counts, timers, tables. */
export function createConsole(
  print: Print,
  now: () => number,
  table: (data: unknown, columns?: string[]) => string | undefined,
) {
  let indent = ''
  const counts = new Map<string, number>()
  const timers = new Map<string, number>()
  const write = (stream: Parameters<Print>[0], args: readonly unknown[]) => {
    const text = format(args)
    print(stream, indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`))
  }
  const elapsed = (label: string): string | undefined => {
    const began = timers.get(label)
    return began === undefined ? undefined : `${label}: ${now() - began}ms`
  }

  return {
    log: (...args: unknown[]) => write('log', args),
    info: (...args: unknown[]) => write('info', args),
    warn: (...args: unknown[]) => write('warn', args),
    error: (...args: unknown[]) => write('error', args),
    debug: (...args: unknown[]) => write('debug', args),
    trace: (...args: unknown[]) => {
      const stack = String(new Error().stack).split('\n').slice(2)
      write('error', [[`Trace${args.length > 0 ? `: ${format(args)}` : ''}`, ...stack].join('\n')])
    },
    dir: (value: unknown, options?: object) => write('log', [inspect(value, options)]),
    dirxml: (...args: unknown[]) => write('log', args),
    table: (data: unknown, columns?: string[]) => write('log', [table(data, columns) ?? data]),
    assert: (condition?: unknown, ...args: unknown[]) => {
      if (condition) return
      const [first, ...rest] = args
      write(
        'error',
        typeof first === 'string' ? [`Assertion failed: ${first}`, ...rest] : ['Assertion failed', ...args],
      )
    },
    count: (label: unknown = 'default') => {
      const name = String(label)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      write('log', [`${name}: ${count}`])
    },
    countReset: (label: unknown = 'default') => void counts.delete(String(label)),
    group: (...args: unknown[]) => {
      if (args.length > 0) write('log', args)
      // deeper groups would only move text out of sight
      if (indent.length < 40) indent += '  '
    },
    groupCollapsed: (...args: unknown[]) => {
      if (args.length > 0) write('log', args)
      if (indent.length < 40) indent += '  '
    },
    groupEnd: () => void (indent = indent.slice(2)),
    time: (label: unknown = 'default') => void timers.set(String(label), now()),
    timeLog: (label: unknown = 'default', ...args: unknown[]) => {
      const text = elapsed(String(label))
      if (text !== undefined) write('log', [text, ...args])
    },
    timeEnd: (label: unknown = 'default') => {
      const text = elapsed(String(label))
      timers.delete(String(label))
      if (text !== undefined) write('log', [text])
    },
    clear: () => undefined,
  }
}
