import { connect, isIP, type Socket } from 'node:net'
import { EgressError } from '../egress-error.ts'
import type { Route } from '../route.ts'

/** Opens a TCP connection to an address. The address is a literal, so nothing is looked up any more. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Socket>

export const dialAddress: Dial = (address, port, signal) =>
  new Promise((resolve, reject) => {
    if (isIP(address) === 0) throw new Error('dialAddress() takes addresses, not names')
    const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true })
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', abort)
      socket.removeListener('error', fail)
      finish()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const abort = () => {
      socket.destroy()
      fail(new Error('aborted'))
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', fail)
    socket.once('connect', () => settle(() => resolve(socket)))
  })

/** Tries the checked addresses one after the other, each with its share of the time that is left. */
export async function dialRoute(
  route: Route,
  dial: Dial,
  { signal, deadline }: { signal: AbortSignal; deadline: number },
): Promise<{ socket: Socket; address: string }> {
  let last: unknown
  for (const [index, address] of route.addresses.entries()) {
    const share = (deadline - performance.now()) / (route.addresses.length - index)
    if (share <= 0 || signal.aborted) break
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(share))])
    try {
      const socket = await dial(address, route.port, attempt)
      // A reset between here and the next owner's listener would otherwise end the server; the owner sees the close.
      socket.on('error', () => {})
      return { socket, address }
    } catch (error) {
      last = error
    }
  }
  const isLate = performance.now() >= deadline - 5
  const why = isLate ? 'it took too long' : 'the connection was refused or lost'
  const message = `Cannot connect to "${route.host}" port ${route.port}: ${why}`
  throw new EgressError('FETCH_FAILED', isLate ? 'timeout' : 'connect', message, last)
}
