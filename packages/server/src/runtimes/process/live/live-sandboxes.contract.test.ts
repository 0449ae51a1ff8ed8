import { existsSync, readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { livingProcesses } from '../../../../tests/harness/load/living-processes.ts'
import { contractLimits, type SessionSamples } from '../../sandbox-cells.ts'
import { sandboxContract } from '../../sandbox.contract.ts'
import type { SandboxSpec } from '../../sandbox.ts'
import { createFixture } from '../process-fixture.ts'

// of this process alone, so that another run of these tests on the machine is not taken for leftovers
const uidBase = 0x60000000 + (process.pid % 0x8000) * 0x800

const python: SessionSamples = {
  language: 'python',
  sets: 'x = 41',
  shows: 'print(x + 1)',
  asks: 'print("there" if "x" in globals() else "absent")',
  waits: 'print("ready")\nwhile True: pass',
  refusesToStop:
    'while True:\n    try:\n        print("ready")\n        while True: pass\n    except BaseException: pass',
  exits: 'import os\nos._exit(3)',
  fails: '1 / 0',
}

const bash: SessionSamples = {
  language: 'bash',
  sets: 'x=41',
  shows: 'echo $((x + 1))',
  asks: 'if [ -z "$x" ]; then echo absent; fi',
  waits: 'echo ready; while :; do :; done',
  refusesToStop: 'trap "" INT; echo ready; while :; do :; done',
  exits: 'exit 3',
  fails: 'cat /nothing',
}

const javascript: SessionSamples = {
  language: 'javascript',
  sets: 'const x = 41',
  shows: 'console.log(x + 1)',
  asks: 'console.log(typeof x === "undefined" ? "absent" : "there")',
  waits: 'console.log("ready")\nfor (;;);',
  exits: 'process.exit(3)',
  fails: 'null.x',
}

const typescript: SessionSamples = { ...javascript, language: 'typescript', sets: 'const x: number = 41' }

const subject = (ready: number) => async () => {
  const fixture = await createFixture(uidBase, {
    poolSize: 0,
    live: { ready, limits: { ...contractLimits, diskMb: 32 } },
  })
  // without this there is no zygote to fork
  if (ready > 0) await fixture.runtime.warm()
  const waiting = new Set(leftovers())
  return {
    open: (spec: SandboxSpec) => fixture.runtime.open(spec),
    async close() {
      // whatever was opened was a fork: without this the suite would prove the other way twice
      const { forked = 0, misses = 0, open = 0 } = fixture.runtime.live?.stats ?? {}
      expect({ isForked: forked > 0 && forked === misses, open }).toEqual({ isForked: ready > 0, open: 0 })
      await fixture.close()
    },
    leftovers: () => leftovers().filter((name) => !waiting.has(name)),
  }
}

sandboxContract('process', [python, bash, javascript, typescript], subject(0))
describe.runIf(process.getuid?.() === 0)('forked', () => sandboxContract('process', [python], subject(1)))

const leftovers = () => [...processes(), ...cgroups()]

const processes = () => (process.getuid?.() === 0 ? livingProcesses(uidBase, 0x800) : [])

function cgroups(): string[] {
  const parents = ['/sys/fs/cgroup/memory/coherex', '/sys/fs/cgroup/pids/coherex', '/sys/fs/cgroup/coherex']
  return parents.flatMap((parent) => {
    const own = existsSync(parent) ? readdirSync(parent).find((name) => name.startsWith(`${process.pid}.`)) : undefined
    if (!own) return []
    const groups = readdirSync(`${parent}/${own}`, { withFileTypes: true })
    return groups.flatMap((entry) => (entry.isDirectory() ? [`${parent}/${own}/${entry.name}`] : []))
  })
}
