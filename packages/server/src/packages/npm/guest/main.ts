// The program inside the sandbox that resolves packages of npm: documents come from the host, one task is done, and it ends.
import { describe } from './describe.ts'
import { Failure } from './failure.ts'
import { Host } from './host.ts'
import { resolve } from './resolve.ts'

const host = new Host()
try {
  const task = await host.task
  const answer = task.kind === 'info' ? await describe(host, task.name) : await resolve(host, task)
  host.say({ type: 'done', answer: answer ?? null })
} catch (error) {
  const why = error instanceof Failure ? error.why : 'other'
  host.say({ type: 'failed', why, message: `${(error as Error).message}`.slice(0, 1000) })
}
host.close()
