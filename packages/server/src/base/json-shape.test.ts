import { expect, test } from 'vitest'
import { refuseJson } from './json-shape.ts'

const refuse = (text: string) => refuseJson(Buffer.from(text))

test('refuseJson() lets ordinary values pass, brackets in strings included', () => {
  expect(refuse('{"a":[1,2,{"b":"x"}]}')).toBeUndefined()
  expect(refuse(JSON.stringify('['.repeat(5000)))).toBeUndefined()
  expect(refuse(JSON.stringify({ '[["\\': '\\"[['.repeat(1000), b: '\\' }))).toBeUndefined()
  expect(refuse('['.repeat(200) + ']'.repeat(200))).toBeUndefined()
})

test('refuseJson() refuses what is nested deeply, also behind strings that end late', () => {
  expect(refuse('['.repeat(201))).toMatch(/nested/)
  expect(refuse('{"a":'.repeat(300))).toMatch(/nested/)
  expect(refuse(`["\\\\",${'['.repeat(250)}`)).toMatch(/nested/)
})

test('refuseJson() refuses more parts than can be walked in a moment', () => {
  expect(refuse(`[${'1,'.repeat(1_000_001)}1]`)).toMatch(/parts/)
  expect(refuse(`[${'[],'.repeat(500_001)}1]`)).toMatch(/parts/)
})

test('refuseJson() refuses more different keys than can be walked in a moment, wherever they are', () => {
  const keys = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `"k${from + at}":${at}`).join()
  expect(refuse(`{${keys(19_900)}}`)).toBeUndefined()
  expect(refuse(`{${keys(22_000)}}`)).toMatch(/different keys/)
  expect(refuse(`[${Array.from({ length: 11 }, (_, at) => `{${keys(2_000, at * 2_000)}}`).join()}]`)).toMatch(/keys/)
  // rows of one shape, and texts that look like keys
  expect(refuse(`[${'{"a":1,"b":{"c":2}},'.repeat(100_000)}1]`)).toBeUndefined()
  expect(refuse(`[${Array.from({ length: 150_000 }, (_, at) => `"\\"k${at}\\":"`).join()}]`)).toBeUndefined()
  // what differs only in its middle
  const middles = Array.from({ length: 22_000 }, (_, at) => `"${'x'.repeat(20)}${at}${'y'.repeat(20)}":1`).join()
  expect(refuse(`{${middles}}`)).toMatch(/keys/)
})

test('refuseJson() refuses more keys than can be walked in a moment, those of wide objects sooner', () => {
  const rows = (count: number, width: number) => {
    const row = Array.from({ length: width }, (_, at) => `"k${at}":1`).join()
    return `[${Array.from({ length: count }, () => `{${row}}`).join()}]`
  }
  expect(refuse(rows(49_000, 10))).toBeUndefined()
  expect(refuse(rows(51_000, 10))).toMatch(/500000 keys/)
  expect(refuse(rows(95, 1_000))).toBeUndefined()
  expect(refuse(rows(105, 1_000))).toMatch(/500000 keys/)
  // an object that is open when another begins goes on being counted
  expect(refuse(`{"a":${rows(60, 1_000)},"b":${rows(45, 1_000)}}`)).toMatch(/500000 keys/)
})

test('refuseJson() reads an unfinished string of backslashes once', () => {
  const began = process.threadCpuUsage()
  expect(refuse(`"${'\\"'.repeat(1_000_000)}`)).toBeUndefined()
  expect(refuse(`"${'\\'.repeat(2_000_000)}`)).toBeUndefined()
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(2_000)
})

test('refuseJson() leaves what is no JSON to the parser, which stops at the same place', () => {
  expect(refuse(`{x${'['.repeat(1000)}`)).toBeUndefined()
  expect(() => JSON.parse(`{x${'['.repeat(1000)}`)).toThrow(SyntaxError)
  expect(refuse('1'.repeat(9_000_000))).toMatch(/characters/)
})
