import { format } from 'node:util'

const streams = ['log', 'info', 'warn', 'error', 'debug'] as const

/** Has each call of the console's levels written as a piece of its own, indented by the groups it is in. */
export function takeConsole(write: (stream: (typeof streams)[number], text: string) => void): void {
  let indent = ''
  for (const stream of streams) {
    console[stream] = (...args: unknown[]) => {
      const text = format(...args)
      write(stream, indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`))
    }
  }
  // Node keeps its own count for what does not pass here, such as `console.dir`
  const { group, groupEnd } = console
  console.group = console.groupCollapsed = (...args: unknown[]) => {
    group(...args)
    indent += '  '
  }
  console.groupEnd = () => {
    groupEnd()
    indent = indent.slice(2)
  }
}
