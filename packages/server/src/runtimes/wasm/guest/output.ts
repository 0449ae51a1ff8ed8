import { StringDecoder } from 'node:string_decoder'
import { send } from '../../process/guest/node/channel.ts'

type Imports = Record<string, WebAssembly.ImportValue>
type Write = (fd: number, vectors: number, count: number, written: number) => number

const streams: Record<number, 'stdout' | 'stderr'> = { 1: 'stdout', 2: 'stderr' }
const success = 0
const invalid = 28

/** Puts both streams on one way, so that they stay in order. Everything else is left to WASI. */
export function takeOutput(imports: Imports, memory: () => WebAssembly.Memory): Imports {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  const write = imports['fd_write'] as Write

  const ownWrite: Write = (fd, vectors, count, written) => {
    const stream = streams[fd]
    if (!stream) return write(fd, vectors, count, written)
    const { buffer } = memory()
    const view = new DataView(buffer)
    const pieces: Uint8Array[] = []
    try {
      // addresses are what the module made them: whatever is out of bounds throws
      for (let index = 0; index < count >>> 0; index++) {
        const at = (vectors >>> 0) + index * 8
        pieces.push(new Uint8Array(buffer, view.getUint32(at, true), view.getUint32(at + 4, true)))
      }
      const bytes = Buffer.concat(pieces)
      view.setUint32(written >>> 0, bytes.length, true)
      const text = decoders[stream].write(bytes)
      if (text !== '') send({ type: 'output', stream, text })
      return success
    } catch (error) {
      if (error instanceof RangeError) return invalid
      throw error
    }
  }
  return { ...imports, fd_write: ownWrite }
}
