import type { Run } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { hasEnded } from './run-get.ts'
import { watchRun } from './watch-run.ts'

/** A run with all it printed, once it has ended. */
export function awaitRun(id: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const stop = watchRun(id, {
      onRun(run) {
        if (!hasEnded(run)) return
        stop()
        resolve(call(routes.runs.get, { params: { id } }))
      },
      onRefused: reject,
      onOutput: nothing,
      onInputRequest: nothing,
      onLost: nothing,
      onOpen: nothing,
    })
  })
}

const nothing = () => undefined
