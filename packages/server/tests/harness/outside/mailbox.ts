import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  url: string
  /** The letters for an address, oldest first, once there are as many. */
  lettersTo(address: string, atLeast: number): Promise<string[]>
  stop(): Promise<void>
}

/** A mail server on loopback that keeps what it is given. */
export async function startMailbox(): Promise<Mailbox> {
  const letters: { to: string[]; content: string }[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      void text(stream).then((content) => {
        letters.push({ to: session.envelope.rcptTo.map((one) => one.address), content })
        done()
        for (const look of waiting) look()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    lettersTo: (address, atLeast) =>
      new Promise((resolve) => {
        const look = () => {
          const own = letters.filter((one) => one.to.includes(address)).map((one) => decode(one.content))
          if (own.length < atLeast) return
          waiting.delete(look)
          resolve(own)
        }
        waiting.add(look)
        look()
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Quoted-printable, as far as letters of ours use it. */
function decode(content: string): string {
  return content
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
