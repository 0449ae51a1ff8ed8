import type { ChildProcess } from 'node:child_process'

export interface LongestTick {
  /** How long the process held its own event loop, in milliseconds; what the machine kept from it does not count. */
  longest: number
  /** How many stretches were measured: a figure of none says nothing. */
  turns: number
}

/** For a process of Node that is started with an IPC channel. */
export const watchArguments = ['--import', new URL('./tick-witness.ts', import.meta.url).href]

export function askLongestTick(child: ChildProcess): Promise<LongestTick> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off('message', hear).off('exit', fail)
      act()
    }
    const hear = (told: unknown) => settle(() => resolve(told as LongestTick))
    const fail = () => settle(() => reject(new Error('The process that was watched has ended')))
    child.on('message', hear).on('exit', fail)
    child.send('longest turn', (error) => {
      if (error) settle(() => reject(error))
    })
  })
}
