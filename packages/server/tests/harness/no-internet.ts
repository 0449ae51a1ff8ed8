// Loaded into every test worker, and into servers whose guests dial (`--import`): a connection that would leave this machine
// fails as on one without a network.
import { isIP, Socket } from 'node:net'

const connect = Socket.prototype.connect
const isWrapped = Symbol.for('coherex.no-internet')
const isOpen = Symbol.for('coherex.real-registry')

// workers that run several files load this once for each
if (!(isWrapped in Socket.prototype)) {
  Object.defineProperty(Socket.prototype, isWrapped, { value: true })
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const host = hostOf(args)
    if (host !== undefined && isIP(host) && !isHere(host)) {
      process.nextTick(() => this.destroy(unreachable(host)))
      return this
    }
    // a name is looked up first, and leads nowhere once its address is known
    this.on('lookup', (_: unknown, address: string) => {
      if (address && !isHere(address)) this.destroy(unreachable(address))
    })
    return Reflect.apply(connect, this, args) as Socket
  }
}

/** Of connect(port, host), connect(options), and the list that net.connect() makes of either. */
function hostOf([first, second]: unknown[]): string | undefined {
  if (Array.isArray(first)) return hostOf(first)
  if (typeof first === 'object' && first !== null) return (first as { host?: string }).host
  return typeof second === 'string' ? second : undefined
}

function isHere(address: string): boolean {
  // a test of real packages says so, in real-registry.ts
  if (isOpen in globalThis) return true
  return /^(127\.|0\.0\.0\.0$|::1?$|::ffff:(127\.|7f))/i.test(address)
}

function unreachable(address: string): Error {
  const error = new Error(`connect ENETUNREACH ${address}: no test leaves this machine`)
  return Object.assign(error, { code: 'ENETUNREACH', syscall: 'connect', address })
}
