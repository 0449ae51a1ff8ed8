import { Command } from 'commander'
import { jsonOption, print, type Context, type JsonOption } from '../context.ts'
import { checkPython } from '../doctor/check-python.ts'
import { checkSandbox } from '../doctor/check-sandbox.ts'
import { checkServer } from '../doctor/check-server.ts'
import { checkTests } from '../doctor/check-tests.ts'
import type { Finding } from '../doctor/finding.ts'
import { thisMachine } from '../doctor/machine.ts'
import { exitCode } from '../exit-code.ts'
import { findProject } from '../find-project.ts'
import { paint, printable, type Terminal } from '../terminal.ts'

export function doctorCommand(context: Context): Command {
  return new Command('doctor')
    .summary('what this machine has, what it lacks, and how to get it')
    .description(
      'Looks at this machine: what is installed, what is missing and how to get it. Needs no server.\nExits with 1 when something is missing that keeps a part of Coherex from working.',
    )
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const machine = thisMachine()
      const project = findProject(context.settings)
      const groups = await Promise.all([
        checkServer(machine, context.settings, project),
        checkSandbox(machine),
        checkPython(machine, { project, chosen: context.settings.environment['COHEREX_PYTHON'] }),
        project ? checkTests(machine) : [],
      ])
      const findings = groups.flat()
      print(context, options, { project: project ?? null, findings }, () => describe(context.terminal, findings))
      if (findings.some(({ state }) => state === 'missing')) context.endWith(exitCode.failure)
    })
}

function describe(terminal: Terminal, findings: Finding[]): string {
  const marks = {
    ok: paint(terminal, 'green', '✓'),
    weak: paint(terminal, 'yellow', '!'),
    missing: paint(terminal, 'red', '✗'),
  }
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.flatMap(({ name, state, found, fix }) => [
    `${marks[state]} ${name.padEnd(width)}  ${printable(found)}`,
    ...(fix ? [`  ${' '.repeat(width)}  → ${fix}`] : []),
  ])
  const wrong = findings.filter(({ state }) => state === 'missing').length
  return [...lines, '', wrong === 0 ? 'Everything that Coherex needs is there.' : `${wrong} missing.`].join('\n')
}
