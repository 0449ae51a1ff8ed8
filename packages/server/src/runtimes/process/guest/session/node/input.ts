import process from 'node:process'
import { Readable } from 'node:stream'
import { send } from '../../node/channel.ts'

let waiting: ((text: string | undefined) => void) | undefined

/** process.stdin of a cell: the text it was given, then whoever can be asked, then the end. */
export function beginInput(cell: { id: number; stdin?: string; isInteractive: boolean }): void {
  let rest = cell.stdin ?? ''
  const stdin = new Readable({
    read() {
      if (rest !== '') {
        this.push(rest)
        rest = ''
      } else if (cell.isInteractive) {
        send({ type: 'stdin-request', id: cell.id, prompt: '', secret: false })
        waiting = (text) => this.push(text === undefined ? null : text.endsWith('\n') ? text : `${text}\n`)
      } else this.push(null)
    },
  })
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true, enumerable: true })
}

export function takeInput(text: string | undefined): void {
  const take = waiting
  waiting = undefined
  take?.(text)
}
