import type { HostMessage, ShellMessage } from '../shell-messages.ts'

export type CallHost = (capability: 'FILES' | 'FETCH', method: string, args: unknown[]) => Promise<unknown>

/** Calls to the host and the answers they wait for. */
export function createHostCalls(send: (message: ShellMessage) => void) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let next = 0
  const call: CallHost = (capability, method, args) =>
    new Promise((resolve, reject) => {
      const id = next++
      waiting.set(id, { resolve, reject })
      send({ type: 'call', id, capability, method, args })
    })
  const answer = (message: HostMessage & { type: 'answer' }) => {
    const caller = waiting.get(message.id)
    waiting.delete(message.id)
    if ('error' in message) {
      caller?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }))
    } else {
      caller?.resolve(message.value)
    }
  }
  return { call, answer }
}
