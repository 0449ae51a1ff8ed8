// Loaded into a process before its own code (`--import`): measures the longest turn of its event loop, and tells whoever
// started the process. From outside a turn cannot be measured: an answer takes many turns, and each of them other threads,
// the database and whoever asks, all of which may have waited for a core.
import { uptime } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { childrenOf } from './children-of.ts'
import { ownTime, readCoreTime, waitedSince, waitsOf } from './core-time.ts'

const everyMs = 20
// to find the children of a process takes a look at all processes of the machine
const worthALookMs = 100

const own = `/proc/self/task/${process.pid}`

// threads of the process load it as well
if (isMainThread && process.send) watch()

function watch(): void {
  const look = () => ({ at: performance.now(), ...readCoreTime(own), helpers: waitsOfHelpers() })
  let last = look()
  let [longest, turns, isAsked] = [0, 0, false]
  setInterval(() => {
    const now = look()
    const stretch = {
      // the timer itself waits for this long
      passed: now.at - last.at - everyMs,
      thread: { ran: now.ran - last.ran, waited: now.waited - last.waited },
      helpersWaited: waitedSince(last.helpers, now.helpers),
    }
    turns++
    if (ownTime(stretch) > Math.max(longest, worthALookMs)) stretch.helpersWaited += waitedByNewChildren(last.at)
    longest = Math.max(longest, ownTime(stretch))
    last = now
    if (!isAsked) return
    process.send?.({ longest, turns })
    longest = turns = 0
    isAsked = false
  }, everyMs).unref()
  process.on('message', (message) => {
    // told when the turn is over in which it was asked
    if (message === 'longest turn') isAsked = true
  })
  // it ends when its own work ends
  process.channel?.unref()
}

/** The other threads of this process, such as those that collect garbage while the main thread stands still. */
function waitsOfHelpers(): Map<string, number> {
  const all = waitsOf(['self'])
  all.delete(own)
  return all
}

/** The start of a process holds up whoever starts it until its program is loaded, so its waits are theirs. */
function waitedByNewChildren(since: number): number {
  const sinceBoot = uptime() * 1000 - (performance.now() - since)
  return childrenOf(process.pid)
    .filter(({ startedAt }) => startedAt >= sinceBoot - 10)
    .reduce((all, { id }) => all + readCoreTime(`/proc/${id}`).waited, 0)
}
