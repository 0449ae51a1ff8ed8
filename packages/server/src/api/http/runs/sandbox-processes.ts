import { CoherexError, routes, type SandboxProcess } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { RunningProcess } from '../../../runs/index.ts'
import type { Api } from '../../api.ts'
import { streamEvents } from '../answers/stream-events.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { sandboxes: route } = routes

/** Commands in the background of sandboxes. */
export function mountSandboxProcesses(app: Hono<Env>, api: Api): void {
  const { sandboxes } = api

  mount(app, api, route.startProcess, async ({ params, body, caller }) =>
    toProcess(await sandboxes.startProcess(inTeam(caller).teamId, params.id, body)),
  )

  mount(app, api, route.listProcesses, async ({ params, caller }) => {
    const { teamId } = inTeam(caller)
    await sandboxes.findUsable(teamId, params.id)
    return { items: (sandboxes.awake(teamId, params.id)?.processes() ?? []).map(toProcess) }
  })

  mount(app, api, route.getProcess, async ({ params, caller }) => toProcess(await find(inTeam(caller).teamId, params)))

  mount(app, api, route.processOutput, async ({ params, caller, context }) => {
    const { process } = await find(inTeam(caller).teamId, params)
    return streamEvents(context, async (send, signal, begin) => {
      begin()
      for (const output of process.recentOutput) send('process-output', output)
      const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
      const stop = process.onOutput((stream, chunk) => {
        const text = decoders[stream].decode(chunk, { stream: true })
        if (text !== '') send('process-output', { stream, text })
      })
      const gone = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
      const exit = await Promise.race([process.exited, gone])
      stop()
      if (exit) send('process-end', exit)
    })
  })

  mount(app, api, route.writeProcess, async ({ params, body, caller }) => {
    const { process, exit } = await find(inTeam(caller).teamId, params)
    if (exit) throw new CoherexError('conflict', `Process ${params.pid} has ended`)
    if (body.text !== '') process.write(Buffer.from(body.text))
    if (body.end) process.endInput()
  })

  mount(app, api, route.killProcess, async ({ params, query, caller }) => {
    const { id, pid } = params
    if (!(await sandboxes.kill(inTeam(caller).teamId, id, { pid, signal: query.signal }))) throw noProcess(pid)
  })

  async function find(teamId: string, { id, pid }: { id: string; pid: number }): Promise<RunningProcess> {
    await sandboxes.findUsable(teamId, id)
    const open = sandboxes.awake(teamId, id)
    const found = open?.processes().find(({ process }) => process.pid === pid)
    if (!found) throw noProcess(pid)
    open?.touch()
    return found
  }
}

function noProcess(pid: number): CoherexError {
  return new CoherexError('not_found', `There is no process ${pid} in the sandbox`)
}

function toProcess({ process, exit }: RunningProcess): SandboxProcess {
  const { pid, command, startedAt, isTerminal, recentOutput } = process
  return {
    pid,
    command,
    startedAt: startedAt.toISOString(),
    isTerminal,
    recentOutput: [...recentOutput],
    ...(exit ? { exit } : {}),
  }
}
