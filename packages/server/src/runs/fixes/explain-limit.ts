import { formatBytes, formatDuration, limitFix, type LimitName } from '@coherex/contract'
import type { Explanation, Failure } from './explain-error.ts'

/** A limit that ended the run, and the next higher one that its caller may ask for. The verdict's message names the limit. */
export function explainLimit({ error, limits, most, signs, place }: Failure): Explanation | undefined {
  // a process that the code began was ended, and the code went on without it
  const isShort = signs.some(({ kind, detail }) => kind === 'limit-kill' && detail.includes('lack of memory'))
  switch (error.kind === 'runtime' && isShort ? 'memory' : error.kind) {
    case 'memory': {
      const { memoryMb } = limits
      const next = Math.min(Math.max(memoryMb * 2, 512), most.memoryMb)
      // what a language says of it, such as MemoryError, names no limit
      const summary = `The code needed more than its ${memoryMb} MB of memory`
      return {
        ...raise('memoryMb', {
          from: memoryMb,
          next,
          shown: `${place === 'sandbox' ? 'the sandbox’s ' : ''}memory to ${next} MB`,
        }),
        ...(!/\d MB\b/.test(error.message) && { summary }),
      }
    }
    case 'timeout': {
      const from = error.message.includes('CPU time') ? limits.cpuMs : limits.timeoutMs
      // below what a run has anyway it would raise nothing
      const next = Math.min(Math.max(from * 4, limits.timeoutMs), most.timeoutMs)
      return raise('timeoutMs', { from, next, shown: `time to ${formatDuration(next)}` })
    }
    case 'output': {
      // a result that is too large would be so with any limit on what is printed
      if (!signs.some(({ kind }) => kind === 'limit-kill')) return undefined
      const { outputBytes } = limits
      const next = Math.min(outputBytes * 10, most.outputBytes)
      return raise('outputBytes', { from: outputBytes, next, shown: `output to ${formatBytes(next)}` })
    }
    default:
      return undefined
  }
}

function raise(name: LimitName, { from, next, shown }: { from: number; next: number; shown: string }): Explanation {
  if (next <= from) return { fixes: [] }
  const value = limitFix(name, Math.floor(next))
  return { fixes: [{ kind: 'raise-limit', value, label: `Raise ${shown} and run again` }] }
}
