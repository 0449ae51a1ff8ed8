import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files } from './cases/files.ts'
import { isolateEscape } from './cases/isolate-escape.ts'
import { namespaceEscape } from './cases/namespace-escape.ts'
import { networkByProxy } from './cases/network-by-proxy.ts'
import { network } from './cases/network.ts'
import { resources } from './cases/resources.ts'
import { secrets } from './cases/secrets.ts'

const all = [isolateEscape, namespaceEscape, network, networkByProxy, files, secrets, resources].flat()

/** Of the list of hostile cases, those that reach the product through runs. */
const listed = `J01 J02 J04 J05 J07 J08 J10 J11 J13 J14 P01 P02 P04 P05 P07 P08 P10 P11 P13 P14
  R01 R02 R04 R05 R07 R08 R10 R11 R13 R14 N01 N02 N04 N05 N07 N08 N10 N11 F01 F02 F04 F05 S01 S02 S04 S05 D02`.split(
  /\s+/,
)

test('every listed case is here with a control and a neighbour', () => {
  for (const id of listed) {
    expect([id, all.some((one) => one.id === id && one.control)]).toEqual([id, true])
    expect([id, all.some((one) => one.id.startsWith(`${id}-`))]).toEqual([id, true])
  }
})

test('every group of cases has a file that runs it', () => {
  const folder = import.meta.dirname
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('listed'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  for (const name of readdirSync(join(folder, 'cases')))
    expect([
      name,
      texts.filter((text) => text.includes(`'./cases/${name}'`) && text.includes('runHostileCases({')).length,
    ]).toEqual([name, 1])
})
