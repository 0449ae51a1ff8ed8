import { CoherexError } from '@coherex/contract'
import type { Launched } from '../../launch/index.ts'
import { type KeeperEvents, KeeperLink } from './keeper-link.ts'

/** A sandbox whose keeper waits to be told whose it is. */
export interface ReadyKeeper {
  launched: Launched
  link: KeeperLink
}

const patienceMs = 20_000

/** Waits for the keeper's word; a sandbox whose keeper does not come up is ended. */
export async function untilKept(launched: Launched): Promise<ReadyKeeper> {
  let complaint = ''
  launched.stdout.resume()
  launched.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < 2000) complaint += chunk.toString('utf8')
  })
  let link: KeeperLink | undefined
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs)
    const settle = (ready: boolean) => {
      clearTimeout(timer)
      resolve(ready)
    }
    link = new KeeperLink(launched, { ...nothing, onReady: () => settle(true), onBroken: () => settle(false) })
    void launched.ended.then(() => settle(false))
  })
  if (isReady && link) return { launched, link }

  await launched.kill()
  throw new CoherexError('unavailable', 'Cannot start a sandbox: its keeper did not come up', {
    cause: new Error(complaint.trim().slice(0, 2000) || 'no message'),
  })
}

// nothing of a guest runs before the sandbox is taken, so nothing else can come
const nothing: KeeperEvents = {
  onReady() {},
  onExited() {},
  onChanged() {},
  onIncoming: (_, stream) => void stream.destroy(),
  onBroken() {},
}
