import {
  CoherexError,
  language as languageOf,
  languageFacts,
  languageOfFile,
  toolLimits,
  toolName,
  type Artifact,
  type Language,
  type ToolRequest,
  type ToolSource,
} from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import { fromGivenFiles, toGivenFiles, type Folder } from '../../registry/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { findEntry } from './find-entry.ts'
import { toFunction } from './to-function.ts'
import { withGiven, withYaml } from './tool-yaml.ts'

export interface SourceDeps {
  workspaces: Pick<Workspaces, 'get' | 'files'>
  runs: Pick<Runs, 'get' | 'program'>
  /** A code block of a conversation, as it is now. */
  readArtifact(teamId: string, id: string): Promise<Pick<Artifact, 'kind' | 'language' | 'code'>>
}

/** The folder of a tool: as it was sent, from a workspace, or made from a code block or the program of a run. */
export async function readSource(deps: SourceDeps, caller: TeamCaller, request: ToolRequest): Promise<Folder> {
  const { files, from } = request
  if ((files === undefined) === (from === undefined))
    throw new CoherexError('invalid_input', 'Say either files or from', { details: [{ field: 'from' }] })
  if (!from) return withGiven(fromGivenFiles(files ?? {}), request)
  if ('code' in from) return makeBlock(from, request)
  if ('artifactId' in from) {
    const { artifactId } = from
    const { kind, code, language: written } = await deps.readArtifact(caller.teamId, artifactId)
    const { data: language } = languageOf.safeParse(written)
    if (kind === 'code' && language) return makeBlock({ code, language }, request)
    throw new CoherexError('invalid_input', `Cannot make a tool of artifact "${artifactId}": ${written} is not run`)
  }
  return 'runId' in from
    ? readRun(deps, caller, { runId: from.runId, request })
    : readWorkspace(deps, caller, { from, request })
}

function makeBlock({ code, language }: { code: string; language: Language }, request: ToolRequest): Folder {
  const { entry } = languageFacts[language]
  return makeFolder({ language, entry, code, files: {} }, { request, called: 'block' })
}

async function readWorkspace(
  { workspaces }: SourceDeps,
  { teamId }: TeamCaller,
  { from, request }: { from: Extract<ToolSource, { workspaceId: string }>; request: ToolRequest },
): Promise<Folder> {
  const at = { teamId, workspaceId: from.workspaceId }
  await workspaces.get(teamId, from.workspaceId)
  const { items } = await workspaces.files.list(at)
  const isFile = items.some(({ path }) => path === from.path)
  const read = async (path: string) => readBytes((await workspaces.files.read(at, path)).body)
  if (isFile && from.path !== undefined && !/(?:^|\/)tool\.yaml$/.test(from.path)) {
    const name = from.path.split('/').at(-1) ?? from.path
    const language = languageOfFile(name)
    if (!language) throw new CoherexError('invalid_input', `Cannot make a tool of "${from.path}": it is no code`)
    const code = (await read(from.path)).toString()
    return makeFolder({ language, entry: name, code, files: {} }, { request, called: name.replace(/\.[^.]*$/, '') })
  }
  const folder = isFile ? (from.path ?? '').replace(/(?:^|\/)tool\.yaml$/, '') : (from.path ?? '')
  const prefix = folder === '' ? '' : `${folder}/`
  const found = items.filter(({ path }) => path.startsWith(prefix))
  if (found.length === 0)
    throw new CoherexError('not_found', `The workspace has no file or folder "${from.path ?? ''}"`)
  const size = found.reduce((sum, one) => sum + one.size, 0)
  if (found.length > toolLimits.files || size > toolLimits.bytes)
    throw new CoherexError(
      'too_large',
      `Cannot make a tool of "${folder || 'the workspace'}": it has ${found.length} files of ${Math.ceil(size / 1e6)} MB, and a tool has at most ${toolLimits.files} of ${toolLimits.bytes / 1e6} MB. Name a smaller folder`,
    )
  const files = new Map<string, Buffer>()
  for (const { path } of found) files.set(path.slice(prefix.length), await read(path))
  if (files.has('tool.yaml')) return withGiven(files, request)
  const { entry, language } = findEntry([...files.keys()], folder)
  const code = (files.get(entry) ?? Buffer.of()).toString()
  const called = folder.split('/').at(-1) || entry.replace(/\.[^.]*$/, '')
  return makeFolder({ language, entry, code, files: toGivenFiles(files) }, { request, called })
}

async function readRun(
  { runs }: SourceDeps,
  { teamId }: TeamCaller,
  { runId, request }: { runId: string; request: ToolRequest },
): Promise<Folder> {
  const run = await runs.get(teamId, runId)
  const refuse = (why: string) => new CoherexError('conflict', `Cannot make a tool of run "${runId}": ${why}`)
  if (run.status !== 'succeeded') throw refuse(`it is ${run.status}, and its result is to be the first test`)
  const { code, entry, files, options } = await runs.program(teamId, runId)
  if (options.workspaceId !== undefined) throw refuse('it used the files of a workspace. Make the tool from there')
  if (options.stdin !== undefined || (options.args?.length ?? 0) > 0)
    throw refuse('it read standard input or arguments, which a tool has not. Take its input instead')
  return makeFolder(
    { language: run.language, entry, code, files },
    {
      request,
      called: `tool-${runId.slice(-6)}`,
      options,
      tested: { name: runId, input: options.input, output: run.result ?? null },
    },
  )
}

interface Program {
  language: Language
  entry: string
  code: string
  files: NonNullable<ToolRequest['files']>
}

interface Made {
  request: ToolRequest
  /** What it is called unless someone says. */
  called: string
  options?: Awaited<ReturnType<Runs['program']>>['options']
  tested?: { name: string; input: unknown; output: unknown }
}

function makeFolder({ language, entry, code, files }: Program, { request, called, options, tested }: Made): Folder {
  const made = toFunction(language, { entry, code })
  const { packages, network, limits: { timeoutMs, memoryMb } = {} } = { ...options, ...neededBy(request) }
  // a function that was called with nothing has no case to show
  const input = tested?.input ?? (made.isScript ? {} : undefined)
  const name = request.name ?? toName(called)
  return withYaml(fromGivenFiles({ ...files, ...made.files }), {
    name,
    description: request.description ?? `Runs ${called}`,
    language,
    entry: made.entry,
    ...(request.licence !== undefined && { licence: request.licence }),
    ...(packages && { packages }),
    ...(network && { network }),
    ...((timeoutMs ?? memoryMb) !== undefined && {
      limits: { ...(timeoutMs !== undefined && { timeoutMs }), ...(memoryMb !== undefined && { memoryMb }) },
    }),
    ...(tested &&
      input !== undefined && { tests: [{ name: tested.name, input, output: tested.output }], example: input }),
  } as Parameters<typeof withYaml>[1])
}

/** What somebody said beside the source goes before what a run had. */
function neededBy({ packages, network, limits }: ToolRequest): Pick<ToolRequest, 'packages' | 'network' | 'limits'> {
  return { ...(packages && { packages }), ...(network && { network }), ...(limits && { limits }) }
}

function toName(called: string): string {
  const name = called
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '')
  return toolName.safeParse(name).success ? name : 'tool'
}

async function readBytes(body: Buffer | AsyncIterable<unknown>): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
