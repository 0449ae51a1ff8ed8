import { createSocket } from 'node:dgram'

/** A DNS server of our own: what it answers may change from question to question. */
export interface NameServer {
  address: string
  asked(name: string): number
  close(): void
}

/** Answers of type A for each name, one after the other; the last one stays. A list is one answer with all of them. Needs the right to bind port 53. */
export async function startNameServer(answers: Record<string, (string | string[])[]>): Promise<NameServer> {
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question)
    const list = answers[name]
    const count = counts.get(name) ?? 0
    const addresses = [(type === 1 && list?.[Math.min(count, list.length - 1)]) || []].flat()
    if (type === 1) counts.set(name, count + 1)
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(list ? 0x8580 : 0x8583, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    // a pointer to the name, type A, class IN, no time to live, four bytes
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), from.port, from.address)
  })
  // all of 127/8 is this machine; another number for each test run
  const address = `127.53.${1 + (process.pid % 250)}.${1 + Math.floor(Math.random() * 250)}`
  await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(53, address, resolve))
  return { address, asked: (name) => counts.get(name) ?? 0, close: () => socket.close() }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}
