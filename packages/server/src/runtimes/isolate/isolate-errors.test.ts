import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../runtime.contract.ts'
import { type IsolateSubject, openIsolate } from './subject.ts'

let subject: IsolateSubject
beforeAll(async () => {
  subject = await openIsolate()
  await subject.runtime.warm()
})
afterAll(async () => subject.close())

type Changes = NonNullable<Parameters<typeof runProgram>[2]>
const js = (code: string, changes: Changes = {}) =>
  runProgram(subject.runtime, { language: 'javascript', code, entry: 'main.js' }, changes)

describe('what is larger than a message', () => {
  test('[C4] a result of too many parts fails with kind output', async () => {
    const { error, signs } = await js('Array(1_100_000).fill(1)')
    expect([error?.kind, error?.message, signs]).toEqual([
      'output',
      'The result has more than 999990 parts; write it to a file instead',
      [],
    ])
    expect((await js('Array(999_980).fill(1)')).error).toBeUndefined()
    expect((await js('Array(450_000).fill({ a: 1 })')).error).toBeUndefined()
    expect((await js('Array(600_000).fill([])')).error?.kind).toBe('output')
  })

  test('[C11] a call with arguments that cannot be carried is refused at once', async () => {
    const write = async () => null
    const capabilities = { FILES: { props: {}, methods: { write } } }
    const refused = [
      'export default (env) => env.FILES.write("a", "x".repeat(17e6)).catch(({ code }) => code)',
      `import fs from 'node:fs'
export default () => { try { fs.writeFileSync('a', 'x'.repeat(17e6)) } catch ({ code }) { return code } }`,
    ]
    for (const code of refused) expect((await js(code, { capabilities })).result).toBe('LIMIT_EXCEEDED')
    const left = `export default (env) => { env.FILES.write('a', 'x'.repeat(17e6)).catch(() => { for (;;); }) }`
    expect((await js(left, { capabilities })).error).toBeUndefined()
    expect((await js('1 + 1')).result).toBe(2)
  })

  test('a program that makes a result of its own is to blame for it', async () => {
    const say = (result: string) =>
      `const result = ${result}\nJSON.stringify = (value) => (typeof value === 'object' ? '{"ok":true,"isScript":true,"result":"' + result + '"}' : '5')\n5`
    for (const result of [
      `'\\\\"' + 'a'.repeat(20e6) + '\\\\"'`,
      `'['.repeat(5e4) + '\\\\"\\\\\\\\n    at x\\\\"' + ']'.repeat(5e4)`,
    ]) {
      expect((await js(say(result))).error?.kind).toBe('runtime')
    }
  })
})
