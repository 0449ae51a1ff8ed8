import { CoherexError } from '@coherex/contract'
import type { Launched, Launcher, LaunchSpec } from '../../launch/index.ts'
import { GuestConnection } from '../guest-connection.ts'

/** A sandbox whose driver waits for its one program. */
export interface ReadySandbox {
  launched: Launched
  connection: GuestConnection
  /** It has the files of its program, and has loaded its module. */
  hasModule?: true
}

const patienceMs = 20_000

export async function startReadySandbox(launcher: Launcher, spec: LaunchSpec): Promise<ReadySandbox> {
  return untilReady(await launcher.launch(spec))
}

/** Waits for the driver's word; a sandbox whose driver does not come up is ended. */
export async function untilReady(
  launched: Launched,
  connection: GuestConnection = new GuestConnection(launched),
): Promise<ReadySandbox> {
  let complaint = ''
  launched.stdout.resume()
  launched.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < 2000) complaint += chunk.toString('utf8')
  })

  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs)
    const settle = (ready: boolean) => {
      clearTimeout(timer)
      resolve(ready)
    }
    connection.listen({
      onMessage(message) {
        if (message.type === 'error') complaint += message.error.message
        settle(message.type === 'ready')
      },
      onBroken: () => settle(false),
      onClosed: () => settle(false),
    })
    void launched.ended.then(() => settle(false))
  })
  if (isReady) return { launched, connection }

  await launched.kill()
  throw new CoherexError('unavailable', 'Cannot start a sandbox: its driver did not come up', {
    cause: new Error(complaint.trim().slice(0, 2000) || 'no message'),
  })
}
