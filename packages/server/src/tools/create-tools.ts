import {
  CoherexError,
  describeFailures,
  hasRole,
  hasScope,
  type Run,
  type RunError,
  type RunRequest,
  type SchemaFailure,
  type ToolReach,
  type ToolRequest,
  type ToolReviewAnswer,
  type ToolReviewQuestion,
  type ToolCheck,
  type ToolDetails,
  type ToolExport,
  type ToolExportFormat,
  type StartedBy,
  type ToolTestResult,
  type ToolVerdict,
} from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { Database } from '../base/index.ts'
import type { Packages } from '../packages/index.ts'
import {
  parseTool,
  type AgentAuthor,
  type Folder,
  type FoundTool,
  type Registry,
  type ToolFolder,
} from '../registry/index.ts'
import type { CallingRun, Runs, StartOptions } from '../runs/index.ts'
import { createBindTools } from './calling/bind-tools.ts'
import { beginChain, extendChain, type CallChain, type RefuseCall } from './calling/call-chain.ts'
import { readToolVariables } from './calling/read-variables.ts'
import { exportTool } from './export/export-tool.ts'
import { inferOf, moduleOf, toCall, toCheck, toSchemaReader } from './program/to-program.ts'
import { askReview, type ReviewDeps } from './review/ask-review.ts'
import type { SchemaChecks } from './schema/schema-checks.ts'
import type { JsonSchema } from './schema/weigh-schema.ts'
import { readSource, type SourceDeps } from './source/read-source.ts'
import { validateTool } from './validate-tool.ts'

export interface ToolsDeps extends ReviewDeps {
  database: Database
  registry: Pick<Registry, 'tools'>
  runs: Pick<Runs, 'start'> & SourceDeps['runs']
  workspaces: SourceDeps['workspaces']
  readArtifact: SourceDeps['readArtifact']
  packages: Pick<Packages, 'keep'>
  checks: SchemaChecks
  publicUrl: string
}

export interface ToolCall {
  name: string
  version?: number | undefined
  input: unknown
  /** Nothing that was kept of earlier calls is used. */
  fresh?: boolean | undefined
}

export interface CallOptions {
  startedBy?: StartedBy
  threadId?: string
  signal?: AbortSignal
  onStart?(runId: string): void
  /** Of the packages it has. */
  lockHash?: string | undefined
  /** What is called, where it is a call that counts, and not a test. */
  tool?: Run['tool']
  isPrivate?: boolean
  judge?(output: unknown): Promise<RunError | undefined>
  /** What of the tools that it calls the outermost caller may not have. */
  refuseCall?: RefuseCall
  durable?: StartOptions['durable']
  onAccepted?: StartOptions['onAccepted']
  /** Whoever calls names the version that they want to try, published or not. */
  tries?: boolean
}

/** A call that code makes: the run it is in, and what led there. */
interface CallOfCode {
  chain: CallChain
  from: CallingRun
  signal: AbortSignal
}

interface Performance {
  input: unknown
  options?: CallOptions
  chain?: CallChain | undefined
  /** What is prepared for a call may serve the next. */
  kept?: StartOptions['kept']
  /** The input does not fit. */
  onRefused?(): Promise<void>
}

interface NewVersion {
  files: Folder
  note: string
  agent?: AgentAuthor
  reach?: ToolReach
  expectedVersion?: number | undefined
}

/** Code with schemas, tested and published at versions that never change, and called by people, agents and programs. */
export function createTools(deps: ToolsDeps) {
  const { registry, runs, workspaces, readArtifact, packages, checks, publicUrl, ...reviewing } = deps
  const { database } = reviewing
  const { tools } = registry
  const bindTools = createBindTools({ database, call: callFromCode })

  const run = async (
    caller: TeamCaller,
    request: RunRequest,
    options: CallOptions & Pick<StartOptions, 'bindMore' | 'environment' | 'kept'> = {},
  ): Promise<Run> => {
    const { signal, onStart, refuseCall: _, tries: __, ...origin } = options
    const live = await runs.start(caller, request, { durable: false, ...origin })
    const stop = () => live.cancel()
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    onStart?.(live.id)
    try {
      return await live.ended
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Reads the folder of a tool and the schemas that it or its code declares. Its code is loaded once, which also settles its packages. */
  async function readTool(caller: TeamCaller, files: Folder, reach: ToolReach | undefined): Promise<ToolFolder> {
    const { definition, problems } = parseTool(files)
    if (!definition) {
      const [first] = problems
      const place = first?.path ? `${first.file}, ${first.path}:` : (first?.file ?? '')
      throw new CoherexError('invalid_input', `The tool is not valid: ${place} ${first?.message ?? ''}`, {
        details: problems,
      })
    }
    const { input, output } = definition
    const held = (await tools.reachOf(caller.teamId, definition.name)) ?? reach ?? definition.reach
    const declared = await readDeclared(caller, { definition, files }, privately(held))
    const inferred = inferOf({ definition, files })
    const content: ToolFolder = {
      ...{ files, definition, lock: declared?.lock ?? null },
      input: input === 'code' ? (declared?.input ?? inferred.input ?? true) : input,
      output: output === 'code' ? (declared?.output ?? inferred.output ?? true) : output,
    }
    for (const schema of [content.input, content.output]) checks.admit(schema)
    for (const test of definition.tests ?? [])
      refuse(await checks.check(content.input, test.input), `The input of the test "${test.name}"`)
    if (definition.example !== undefined) refuse(await checks.check(content.input, definition.example), 'The example')
    return content
  }

  async function readDeclared(
    caller: TeamCaller,
    tool: Pick<ToolFolder, 'definition' | 'files'>,
    options: CallOptions,
  ): Promise<{ input: JsonSchema | null; output: JsonSchema | null; lock: string | undefined } | undefined> {
    const reader = toSchemaReader(tool)
    if (!reader) return undefined
    const { status, result, error, runtime } = await run(caller, reader, options)
    if (status !== 'succeeded')
      throw new CoherexError('invalid_input', `The schemas cannot be read from the code: ${error?.message ?? status}`)
    if (typeof result !== 'object' || result === null)
      throw new CoherexError('invalid_input', 'The schemas cannot be read from the code: it ends while it is loaded')
    const { input, output, callable } = result as {
      input: JsonSchema | null
      output: JsonSchema | null
      callable: boolean
    }
    if (callable) return { input, output, lock: runtime?.lock?.hash }
    const what = tool.definition.language === 'python' ? 'function main' : 'default export that is a function'
    throw new CoherexError('invalid_input', `The entry file of the tool has no ${what}`)
  }

  async function judgeOutput({ output: schema }: ToolFolder, output: unknown): Promise<RunError | undefined> {
    try {
      const wrong = await checks.check(schema, output)
      const message = `The output does not fit its schema: ${describeFailures(wrong)}`
      return wrong.length === 0 ? undefined : { kind: 'validation', message }
    } catch (error) {
      if (error instanceof CoherexError) return { kind: 'validation', message: error.message }
      throw error
    }
  }

  /** One call, checked on both sides. */
  async function perform(
    caller: TeamCaller,
    content: ToolFolder,
    { input, options = {}, chain, kept, onRefused }: Performance,
  ): Promise<{ output: unknown; run: Run }> {
    const wrong = await checks.check(content.input, input)
    if (wrong.length > 0) await onRefused?.()
    refuse(wrong, 'The input')
    const lockHash = content.lock ?? undefined
    const inside = chain ?? extendChain(beginChain(options.refuseCall), content.definition.name)
    const bindMore = bindTools.toTool(inside)
    const environment = await readToolVariables(database, caller.teamId, content.definition)
    const judge = (output: unknown) => judgeOutput(content, output)
    const done = await run(caller, toCall(content, input), {
      ...{ ...options, lockHash, judge, bindMore, environment },
      ...(kept && { kept }),
    })
    return { output: done.status === 'succeeded' ? (done.result ?? null) : undefined, run: done }
  }

  async function runTests(
    caller: TeamCaller,
    { content, reach }: Pick<FoundTool, 'content' | 'reach'>,
  ): Promise<ToolTestResult[]> {
    const options = privately(reach)
    const results: ToolTestResult[] = []
    for (const test of content.definition.tests ?? []) {
      const { output, run: done } = await perform(caller, content, { input: test.input, options })
      results.push({
        name: test.name,
        runId: done.id,
        durationMs: done.durationMs ?? 0,
        ...(await judge(output, done)),
      })

      async function judge(
        given: unknown,
        { status, error }: Run,
      ): Promise<Pick<ToolTestResult, 'passed' | 'message'>> {
        if (status !== 'succeeded') return { passed: false, message: error?.message ?? status }
        if (test.output !== undefined && !isSame(given, test.output))
          return { passed: false, message: `gave ${shorten(given)} and not ${shorten(test.output)}` }
        if (test.check === undefined) return { passed: true, message: '' }
        const checked = await run(caller, toCheck(content, test.check, { input: test.input, output: given }), options)
        if (checked.status === 'succeeded' && checked.result === true) return { passed: true, message: '' }
        return { passed: false, message: checked.error?.message ?? `the check is not met by ${shorten(given)}` }
      }
    }
    return results
  }

  /** Stores the next version from a folder; nobody gets it before it is published. */
  async function save(
    caller: TeamCaller,
    { files, note, agent, reach, expectedVersion }: NewVersion,
  ): Promise<ToolDetails> {
    const content = await readTool(caller, files, reach)
    // what is to be private is so from its first version on
    const first = reach ?? (content.definition.reach === 'private' ? 'private' : undefined)
    const made = await tools.put(caller, { content, note, agent, reach: first, expectedVersion })
    const { name } = content.definition
    // as long as the version is there
    if (content.lock)
      await packages.keep(caller.teamId, { kind: 'tool', id: `${name}@${made.version}`, name }, [content.lock])
    return made
  }

  return {
    save,

    /** Stores a version from files that were sent, a workspace, a code block, or a past run. */
    async saveRequest(caller: TeamCaller, request: ToolRequest): Promise<ToolDetails> {
      const { note, reach, expectedVersion } = request
      const files = await readSource({ workspaces, runs, readArtifact }, caller, request)
      return save(caller, { files, note, expectedVersion, ...(reach && { reach }) })
    },

    /** Copies a version that another team offers; it is a draft here until it is published. */
    async install(
      caller: TeamCaller,
      offer: { team: string; name: string; version?: number | undefined },
    ): Promise<ToolDetails> {
      const { content, version, teamName } = await tools.readOffered(offer)
      const note = `Copied from ${teamName}, version ${version}`
      return save(caller, { files: content.files, note })
    },

    /** A version as others call it: the published one, or the one named, which is pinned then. */
    async export(
      { teamId }: TeamCaller,
      { name, version, format }: { name: string; version?: number | undefined; format: ToolExportFormat },
    ): Promise<ToolExport> {
      const { version: number, content } = await tools.find(teamId, name, version)
      const { description, example } = content.definition
      const { input, output } = content
      const tool = { name, description, pinned: version, version: number, input, output, url: publicUrl }
      return exportTool(format, tool, example)
    },

    askReview: (caller: TeamCaller, name: string, question: ToolReviewQuestion): Promise<ToolReviewAnswer> =>
      askReview({ ...reviewing, registry }, caller, { name, question }),

    /** What is wrong with a folder, as far as that is known without running its code. */
    validate: (files: Folder): Promise<ToolVerdict> => validateTool(checks, files),

    async checkValue(schema: JsonSchema, value: unknown): Promise<SchemaFailure[]> {
      checks.admit(schema)
      return checks.check(schema, value)
    },

    async test(caller: TeamCaller, at: { name: string; version?: number | undefined }): Promise<ToolTestResult[]> {
      const { newestVersion } = await tools.get(caller.teamId, at.name)
      return runTests(caller, await tools.findStored(caller.teamId, at.name, at.version ?? newestVersion))
    },

    /** Runs the checks, and publishes the version where all are met. */
    async publishVersion(
      caller: TeamCaller,
      at: { name: string; version?: number | undefined; note: string },
    ): Promise<{ published: boolean; version: number; checks: ToolCheck[] }> {
      const { newestVersion } = await tools.get(caller.teamId, at.name)
      const version = at.version ?? newestVersion
      const found = await tools.findStored(caller.teamId, at.name, version)
      const results = await runTests(caller, found)
      const failed = results.filter(({ passed }) => !passed)
      const { licence } = found.content.definition
      const met: ToolCheck[] = [
        {
          name: 'tests',
          passed: results.length > 0 && failed.length === 0,
          message: describeTests(results, failed),
        },
        {
          name: 'licence',
          passed: licence !== undefined,
          message: licence ?? 'Name a licence in tool.yaml, such as MIT',
        },
        ...(await tools.checkHolders(caller.teamId, { name: at.name, version })),
      ]
      const published = met.every(({ passed }) => passed)
      if (published) await tools.publish(caller, { name: at.name, version }, at.note)
      return { published, version, checks: met }
    },

    async call(
      caller: TeamCaller,
      { name, version, input, fresh }: ToolCall,
      options: CallOptions = {},
    ): Promise<{ output: unknown; run: Run; deprecated?: string }> {
      return callTool(caller, { name, version, input, fresh }, options)
    },

    /** `TOOLS` for the code of a run that is no tool's. */
    bindTools: bindTools.toRun,
  }

  async function callTool(caller: TeamCaller, call: ToolCall, options: CallOptions, chain?: CallChain) {
    const { name, version, input, fresh } = call
    const find = options.tries && mayWrite(caller) ? tools.findStored : tools.find
    const found = await find(caller.teamId, name, version)
    if (found.status === 'unpublished') throw new CoherexError('conflict', `The tool "${name}" is unpublished`)
    const tool = { name, version: found.version }
    const called = await perform(caller, found.content, {
      ...{ input, chain },
      options: { ...options, ...privately(found.reach), tool },
      kept: {
        key: `${name}@${found.version} ${found.digest}`,
        ...(fresh && { fresh }),
        ...moduleOf(found.content),
      },
      onRefused: () => tools.countRefused(caller, { ...tool, startedBy: options.startedBy }),
    })
    return { ...called, ...(found.deprecation !== null && { deprecated: found.deprecation }) }
  }

  async function callFromCode(caller: TeamCaller, call: ToolCall, { chain, from, signal }: CallOfCode) {
    const outer = chain.tools.at(-2)
    const startedBy: StartedBy = { kind: 'run', id: from.id, ...(outer !== undefined && { name: outer }) }
    const options = { startedBy, signal, ...(from.threadId !== undefined && { threadId: from.threadId }) }
    return callTool(caller, call, options, chain)
  }
}

export type Tools = ReturnType<typeof createTools>

/** What nobody published runs for those alone who could have written it. */
function mayWrite({ role, scopes }: TeamCaller): boolean {
  return hasRole(role, 'editor') && hasScope(scopes, 'write')
}

/** Runs of a private tool are its owner's too. */
function privately(reach: ToolReach | undefined): CallOptions {
  return reach === 'private' ? { isPrivate: true } : {}
}

function refuse(failures: SchemaFailure[], what: string): void {
  if (failures.length === 0) return
  throw new CoherexError('invalid_input', `${what} does not fit the schema: ${describeFailures(failures)}`, {
    details: failures,
  })
}

function describeTests(results: ToolTestResult[], failed: ToolTestResult[]): string {
  if (results.length === 0) return 'Add a test: an input with the output it must have'
  const [first] = failed
  return first
    ? `${failed.length} of ${results.length} failed: ${first.name}: ${first.message}`
    : `${results.length} passed`
}

const shorten = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

/** JSON values are the same whatever order their fields have. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b) || a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [ofA, ofB] = [Object.keys(a), Object.keys(b)]
  return (
    ofA.length === ofB.length &&
    ofA.every(
      (key) =>
        Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  )
}
