import { z } from 'zod'
import { CapabilityError, type Capability } from '../capability.ts'
import { defineMethod } from '../define-method.ts'
import { fewNames } from '../few-names.ts'
import { decodeFile, encodeFile, fileData, readOptions, writeOptions } from '../files/file-data.ts'
import type { FileSpace } from '../files/file-space.ts'
import { parsePath, showPath } from '../files/parse-path.ts'
import { createTurns } from '../files/take-turns.ts'
import { usualShellLimits } from './shell-messages.ts'
import type { Shell } from './shell.ts'

export interface BashLimits {
  /** Longest a command may take; a call may ask for less. */
  timeoutMs: number
  /** Of stdout and stderr together. */
  outputBytes: number
  /** Commands in one run. */
  maxExecs: number
}

const bashLimits: BashLimits = { timeoutMs: 30_000, outputBytes: usualShellLimits.outputBytes, maxExecs: 1_000 }

const maxWaiting = 50
const maxVariables = 1_000
const variables = fewNames(
  maxVariables,
  z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'is not a variable name'), z.string().max(131_072)),
)
const path = z.string()

export interface BashCapabilityOptions {
  space: FileSpace
  shell: Shell
  /** Variables every command starts with. */
  env?: Readonly<Record<string, string>>
  limits?: Partial<BashLimits>
  /** Whether curl works, through the run's FETCH. */
  network: boolean
}

export function createBashCapability({
  space,
  shell,
  env = {},
  limits: asked = {},
  network,
}: BashCapabilityOptions): Capability {
  const limits = { ...bashLimits, ...asked }
  const describeExecOptions = () =>
    z
      .strictObject({
        cwd: z.string().default('/'),
        env: variables.default({}),
        timeoutMs: z
          .number()
          .int()
          .min(1)
          .max(limits.timeoutMs)
          .default(Math.min(usualShellLimits.timeoutMs, limits.timeoutMs)),
        stdin: z.string().max(10_000_000).default(''),
      })
      .prefault({})
  const inTurn = createTurns(space)
  let execs = 0
  let waiting = 0

  return {
    props: { ...limits, network },
    methods: {
      exec: defineMethod(
        'BASH.exec',
        () => z.tuple([z.string().max(1_000_000), describeExecOptions()]),
        async ([command, options], signal) => {
          const cwd = showPath(parsePath(options.cwd))
          const { type } = await space.stat(cwd)
          if (type !== 'directory')
            throw new CapabilityError('ENOTDIR', `ENOTDIR: not a directory, ${JSON.stringify(cwd)}`)
          // after the last wait before it counts, or all that are asked for at once would pass
          if (execs >= limits.maxExecs)
            throw new CapabilityError('LIMIT_EXCEEDED', `Cannot run a command: ${limits.maxExecs} were run already`)
          if (waiting >= maxWaiting)
            throw new CapabilityError('LIMIT_EXCEEDED', `Cannot run a command: ${maxWaiting} are waiting already`)
          execs++
          waiting++
          try {
            const { timeoutMs, stdin } = options
            const shellLimits = { timeoutMs, outputBytes: limits.outputBytes }
            return await shell.exec(
              { command, cwd, stdin, env: { ...env, ...options.env }, limits: shellLimits },
              signal,
            )
          } finally {
            waiting--
          }
        },
      ),
      readFile: defineMethod(
        'BASH.readFile',
        () => z.tuple([path, readOptions]),
        async ([file, options], _, taken) => encodeFile(await inTurn(file, taken), options?.encoding ?? 'utf8', file),
      ),
      writeFile: defineMethod(
        'BASH.writeFile',
        () => z.tuple([path, fileData, writeOptions]),
        async ([file, data, options]) => {
          await space.write(file, decodeFile(data, options?.encoding ?? 'utf8'))
          return null
        },
      ),
      listFiles: defineMethod(
        'BASH.listFiles',
        () => z.tuple([path.default('/')]),
        ([directory]) => space.list(directory),
      ),
    },
  }
}
