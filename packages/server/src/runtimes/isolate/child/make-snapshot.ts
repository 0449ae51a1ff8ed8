// Writes a V8 snapshot of the guest library to descriptor 3. Once per version of the library: a child that made its own would
// need twice as long to start.
import { readFileSync, writeSync } from 'node:fs'
import ivm from 'isolated-vm'
import { guestLibrary } from './source-positions.ts'

// what every run does is compiled into the snapshot: a program with a default export
const start = {
  entry: 'm',
  modules: { m: { kind: 'code', at: 0 } },
  resolutions: {},
  input: { a: [1] },
  vars: {},
  capabilities: { A: ['b'] },
  outputBytes: 99,
  resultBytes: 999,
}
const warmUp = `
const enter = globalThis.__coherex(() => {}, () => {})
enter('start', ${JSON.stringify(JSON.stringify(start))}, 0, async (exports) => {
  Object.defineProperty(exports, 'default', { enumerable: true, configurable: true, get: () => async () => ({ a: [1, 'b', null] }) })
})`

const [file = ''] = process.argv.slice(2)
const snapshot = ivm.Isolate.createSnapshot([{ code: readFileSync(file, 'utf8'), filename: guestLibrary }], warmUp)
const bytes = new Uint8Array(snapshot.copy())
for (let written = 0; written < bytes.length;) written += writeSync(3, bytes, written)
