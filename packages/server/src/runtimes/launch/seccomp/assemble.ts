import { syscalls, type Syscall } from './syscalls.ts'

export type Machine = 'x64' | 'arm64'

/** What happens to a system call: it passes, fails with an errno, ends the process, or is told to whoever listens, who says how it fails. */
export type Verdict = 'allow' | 'kill' | 'tell' | { errno: number }

/** A look at one argument's low 32 bits, which is all the kernel itself reads of flags, families and commands. */
export interface Look {
  argument: 0 | 1 | 2
  /** Applied before comparing. */
  mask?: number
  /** The first that names the value counts; `verdict` of the rule is for the rest. */
  cases: { anyOf: number[]; verdict: Verdict }[]
}

export interface Rule {
  syscall: Syscall
  look?: Look
  verdict: Verdict
}

const offsets = { number: 0, machine: 4, arguments: 16 }
const machineNumber = { x64: 0xc000003e, arm64: 0xc00000b7 }
const x32Bit = 0x40000000

const load = 0x20
const and = 0x54
const jumpEqual = 0x15
const jumpGreaterOrEqual = 0x35
const jumpGreater = 0x25
const give = 0x06

type Instruction = [code: number, whenTrue: number, whenFalse: number, value: number]

/**
 * A classic BPF program for seccomp: `rules` by system call, `fallback` for every call that no rule names, and the end
 * of the process for calls made through another machine's table (int 0x80, x32), which would slip past the numbers.
 */
export function assembleFilter(machine: Machine, rules: Rule[], fallback: Verdict): Buffer {
  const program: Instruction[] = [
    [load, 0, 0, offsets.machine],
    [jumpEqual, 1, 0, machineNumber[machine]],
    [give, 0, 0, verdictValue('kill')],
    [load, 0, 0, offsets.number],
  ]
  if (machine === 'x64') program.push([jumpGreaterOrEqual, 0, 1, x32Bit], [give, 0, 0, verdictValue('kill')])

  const numbered = rules.flatMap((rule) => {
    const number = syscalls[rule.syscall][machine === 'x64' ? 0 : 1]
    return number === null ? [] : [{ ...rule, number }]
  })
  const allowed = numbered.filter((rule) => !rule.look && rule.verdict === 'allow').map((rule) => rule.number)
  for (const [first, last] of toRanges(allowed)) {
    program.push([jumpGreaterOrEqual, 0, 2, first], [jumpGreater, 1, 0, last], [give, 0, 0, verdictValue('allow')])
  }
  for (const rule of numbered) {
    if (!rule.look && rule.verdict === 'allow') continue
    const body = ruleBody(rule)
    program.push([jumpEqual, 0, body.length, rule.number], ...body)
  }
  program.push([give, 0, 0, verdictValue(fallback)])
  return encode(program)
}

function ruleBody({ look, verdict }: Rule): Instruction[] {
  if (!look) return [[give, 0, 0, verdictValue(verdict)]]
  // little-endian on both machines: the low half comes first
  const body: Instruction[] = [[load, 0, 0, offsets.arguments + look.argument * 8]]
  if (look.mask !== undefined) body.push([and, 0, 0, look.mask])
  for (const { anyOf, verdict } of look.cases) {
    // to the verdict behind the last value, which is jumped over where none is met
    anyOf.forEach((value, index) => {
      const left = anyOf.length - 1 - index
      body.push([jumpEqual, left, left === 0 ? 1 : 0, value])
    })
    body.push([give, 0, 0, verdictValue(verdict)])
  }
  body.push([give, 0, 0, verdictValue(verdict)])
  return body
}

function verdictValue(verdict: Verdict): number {
  if (verdict === 'allow') return 0x7fff0000
  if (verdict === 'kill') return 0x80000000
  if (verdict === 'tell') return 0x7fc00000
  return 0x00050000 | verdict.errno
}

function toRanges(numbers: number[]): [first: number, last: number][] {
  const ranges: [number, number][] = []
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && range[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

function encode(program: Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, whenTrue, whenFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(whenTrue, index * 8 + 2)
    bytes.writeUInt8(whenFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  })
  return bytes
}
