// Modules that attack. Each case: the stated verdict, nothing of the host told, a harmless run straight after.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../process/process-fixture.ts'
import { type Ran, runProgram } from '../runtime.contract.ts'
import type { Limits, Runtime } from '../runtime.ts'
import { findEngine } from './engines.ts'
import { createWasmRuntime } from './wasm-runtime.ts'

const canary = `CANARY-${process.pid}-wasm`
let fixture: Fixture
let runtime: Runtime
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'coherex-wasm-canary-'))
  writeFileSync(join(directory, 'secret'), canary)
  fixture = await createFixture(0x70070000 + (process.pid % 100) * 1000)
  runtime = createWasmRuntime({ sandboxes: fixture.runtime, engine: findEngine() })
})
afterAll(async () => {
  await fixture.close()
  rmSync(directory, { recursive: true })
})
afterEach(async () => {
  expect(await c('#include <stdio.h>\nint main() { puts("fine"); }')).toMatchObject({
    status: 'succeeded',
    text: 'fine\n',
  })
  expect(readFileSync(join(directory, 'secret'), 'utf8')).toBe(canary)
})

const c = (code: string, limits: Partial<Limits> = {}): Promise<Ran> =>
  runProgram(runtime, { language: 'c', code, entry: 'main.c' }, { limits })

/** A module put together by hand: sections of id and contents after the eight bytes of the format. */
function module(...sections: [id: number, ...contents: number[]][]): string {
  const bytes = sections.flatMap(([id, ...contents]) => [id, ...leb(contents.length), ...contents])
  return Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...bytes]).toString('base64')
}
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]
}
const text = (name: string): number[] => [name.length, ...Buffer.from(name)]
const types: [number, ...number[]] = [1, 1, 0x60, 0, 0]
const functions: [number, ...number[]] = [3, 1, 0]
const exports: [number, ...number[]] = [7, 2, ...text('memory'), 2, 0, ...text('_start'), 0, 0]
const memory = (pages: number): [number, ...number[]] => [5, 1, 0, ...leb(pages)]
const body = (...code: number[]): [number, ...number[]] => [10, 1, code.length + 2, 0, ...code, 0x0b]
const loop = [0x03, 0x40, 0x0c, 0, 0x0b]

const raw = (code: string, limits: Partial<Limits> = {}) =>
  runProgram(runtime, { language: 'wasm', code, entry: 'main.wasm' }, { limits })

test('[wasm.1] a loop without a call to anywhere is ended in time', async () => {
  const began = performance.now()
  const { error } = await raw(module(types, functions, memory(1), exports, body(...loop)), { timeoutMs: 800 })
  expect(error).toMatchObject({ kind: 'timeout' })
  expect(performance.now() - began).toBeLessThan(800 + 5000)
})

test('a loop that begins before the module has started is ended in time', async () => {
  const { error } = await raw(module(types, functions, memory(1), exports, [8, 0], body(...loop)), { timeoutMs: 800 })
  expect(error).toMatchObject({ kind: 'timeout' })
})

test('[wasm.2] memory that only grows is refused at the limit, and the module sees it', async () => {
  const grows = `#include <stdio.h>
int main() { long pages = 0; while (__builtin_wasm_memory_grow(0, 16) != (unsigned long)-1) pages += 16; printf("%d", pages <= 64 * 16); }`
  expect(await c(grows, { memoryMb: 64 })).toMatchObject({ status: 'succeeded', text: '1' })
})

test('[wasm.2] a module that asks for more memory than it may have does not start', async () => {
  const { error } = await raw(module(types, functions, memory(65_536), exports, body()), { memoryMb: 64 })
  expect(error).toEqual({ kind: 'memory', message: 'The module needed more than 64 MB of memory' })
})

test('[wasm.3] no path leads out of the preopened directory, not even through a link', async () => {
  const climbs = `#include <stdio.h>
#include <unistd.h>
#include <fcntl.h>
int main() {
  const char *paths[] = { "/etc/passwd", "../etc/passwd", "a/../../../etc/passwd", "/tmp/../etc/passwd", "/proc/self/environ", "/proc/1/environ",
    "${directory}/secret", "../../..${directory}/secret", "/opt/coherex/wasm/main.cjs", "//etc/passwd", "./../../../../../../../etc/passwd" };
  for (int i = 0; i < 11; i++) if (open(paths[i], O_RDONLY) >= 0) printf("opened %s\\n", paths[i]);
  symlink("/etc/passwd", "absolute"); symlink("../../../etc/passwd", "relative"); symlink("../..", "up"); symlink("/proc/self", "proc");
  const char *links[] = { "absolute", "relative", "up/etc/passwd", "proc/environ" };
  for (int i = 0; i < 4; i++) if (open(links[i], O_RDONLY) >= 0) printf("followed %s\\n", links[i]);
  if (link("/etc/passwd", "hard") == 0) printf("linked\\n");
  int own = open("own.txt", O_CREAT | O_WRONLY, 0600);
  printf("end %d\\n", own >= 0);
}`
  const { text: printed, error } = await c(climbs)
  expect({ printed, error }).toEqual({ printed: 'end 1\n', error: undefined })
})

test('[wasm.1] output without end is cut, and the run ends by its own limits', async () => {
  const floods = `#include <stdio.h>\nint main() { for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"); }`
  // by its own time, which does not pass while it waits for a core
  const ran = await c(floods, { outputBytes: 50_000, cpuMs: 1000, timeoutMs: 50_000 })
  expect(ran).toMatchObject({ truncated: true, error: { kind: 'timeout' } })
  expect(Buffer.byteLength(ran.text)).toBeLessThan(60_000)
})

test('addresses that lie outside of the memory are refused', async () => {
  const lies = `#include <stdio.h>
#include <wasi/api.h>
int main() {
  __wasi_ciovec_t wild = { (void *)0xfffffff0u, 64 };
  __wasi_size_t written;
  int far = __wasi_fd_write(1, &wild, 1, &written), many = __wasi_fd_write(1, (void *)0xffffff00u, 1u << 30, &written);
  printf("%d %d\\n", far != 0, many != 0);
}`
  expect(await c(lies)).toMatchObject({ status: 'succeeded', text: '1 1\n' })
})

test('[wasm.4] what is no module, no command or wants more than WASI says so', async () => {
  const imports: [number, ...number[]] = [2, 1, ...text('env'), ...text('system'), 0, 0]
  const told = [
    await raw(Buffer.from('#!/bin/sh').toString('base64')),
    await raw('not base64!'),
    await raw(module(types, functions, memory(1), [7, 1, ...text('memory'), 2, 0], body())),
    await raw(module(types, imports, functions, memory(1), exports, body())),
  ]
  expect(told.map(({ error }) => [error?.kind, error?.message])).toEqual([
    ['syntax', expect.stringContaining('The module cannot be read')],
    ['validation', 'The code of a WebAssembly program is its module as base64'],
    ['validation', 'The module is no WASI command: it must export _start and memory'],
    ['validation', 'The module needs "env.system", which is not WASI preview 1'],
  ])
})

test('[wasm.4] a trap is an error with the functions it happened in', async () => {
  const { error, exitCode } = await c('int main() { __builtin_trap(); }')
  expect({ error, exitCode }).toMatchObject({
    error: { kind: 'runtime', message: 'The module trapped: unreachable' },
    exitCode: 134,
  })
  expect(JSON.stringify(error)).not.toMatch(/\/opt|\/work|node:/)
})
