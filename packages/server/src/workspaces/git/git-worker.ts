import { parentPort } from 'node:worker_threads'
import { Errors, type HttpClient } from 'isomorphic-git'
import { gitLimits } from './git-limits.ts'
import { GitRefused, type GitRefusal } from './git-refusal.ts'
import type { GitAnswer, GitResponse, GitTask, MadeCommits, ServerMessage, ThreadMessage } from './git-task.ts'
import { clean, findTip, pushCommits } from './push-commits.ts'
import { readCommit } from './read-commit.ts'
import { url } from './repository.ts'

const waiting = new Map<number, (response: GitResponse | undefined) => void>()
let count = 0
let go: (() => void) | undefined

parentPort?.on('message', (message: ServerMessage) => {
  if (message.type === 'response') waiting.get(message.id)?.(message.response)
  else if (message.type === 'go') go?.()
  else void work(message.task)
})

const say = (message: ThreadMessage) => parentPort?.postMessage(message)

async function work(task: GitTask): Promise<void> {
  try {
    say({ type: 'done', answer: await perform(task) })
  } catch (error) {
    say({ type: 'refused', refusal: explain(error) })
  }
}

async function perform(task: GitTask): Promise<GitAnswer> {
  if (task.kind === 'read') return readCommit(http, task, gitLimits)
  if (task.kind === 'tip') return { tip: await findTip(http, task) }
  return pushCommits(http, task, { limits: gitLimits, onReady })
}

function onReady(made: MadeCommits): Promise<void> {
  return new Promise((resolve) => {
    go = resolve
    say({ type: 'ready', made })
  })
}

/** The thread has no network: it asks the server for each request. */
const http: HttpClient = {
  async request({ url: address, method = 'GET', headers = {}, body }) {
    const chunks: Uint8Array[] = []
    for await (const chunk of body ?? []) chunks.push(chunk)
    const id = ++count
    const response = await new Promise<GitResponse | undefined>((resolve) => {
      waiting.set(id, resolve)
      const request = { method, path: address.slice(url.length), headers, body: Buffer.concat(chunks) }
      say({ type: 'request', id, request: { ...request, body: chunks.length > 0 ? request.body : undefined } })
    })
    waiting.delete(id)
    // why not is known where it was tried
    if (!response) throw new GitRefused('unavailable', 'The repository does not answer', 'url')
    const bytes = [response.body]
    return {
      url: address,
      method,
      statusCode: response.status,
      statusMessage: String(response.status),
      headers: response.headers,
      body: (async function* () {
        yield* bytes
      })(),
    }
  },
}

/** What went wrong in words of ours: those of the library and of servers may say anything. */
function explain(error: unknown): GitRefusal {
  if (error instanceof GitRefused) return error.refusal
  if (error instanceof Errors.HttpError) return explainStatus(error.data.statusCode)
  if (error instanceof Errors.UnsafeFilepathError) {
    const message = 'Cannot take a file of the repository: its path must stay below the root'
    return { code: 'invalid_input', message, field: 'url' }
  }
  if (error instanceof Errors.PushRejectedError) {
    return { code: 'conflict', message: 'The branch has moved on: import it first', field: 'branch' }
  }
  if (error instanceof Errors.GitPushError) {
    const [refused] = Object.values(error.data.result.refs ?? {}).filter(({ ok }) => !ok)
    const message = `The server refused the branch: ${clean(refused?.error ?? error.data.prettyDetails)}`
    return { code: 'conflict', message, field: 'branch' }
  }
  if (error instanceof Errors.RemoteCapabilityError) {
    return { code: 'invalid_input', message: 'The server of the repository is too old', field: 'url' }
  }
  return { code: 'invalid_input', message: 'That address does not answer like a git repository', field: 'url' }
}

function explainStatus(status: number): GitRefusal {
  if (status === 401 || status === 403) {
    return { code: 'invalid_input', message: 'The repository asks for a token that may do this', field: 'secret' }
  }
  if (status === 404) return { code: 'not_found', message: 'There is no repository at that address', field: 'url' }
  return { code: 'unavailable', message: `The server of the repository answered ${status}`, field: 'url' }
}
