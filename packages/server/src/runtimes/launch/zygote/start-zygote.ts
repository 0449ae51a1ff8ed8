import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CoherexError } from '@coherex/contract'
import { FrameDecoder } from '../../protocol/index.ts'
import type { Cgroups } from '../cgroups.ts'
import { systemDirectories } from '../guest-root.ts'
import type { Slots } from '../slots.ts'
import type { Spawned, SpawnerClient } from '../spawner-client.ts'
import { findOnlyChild } from './find-children.ts'
import { forkGuest, toExit, type Waiting } from './fork-guest.ts'
import type { Zygote, ZygoteReport, ZygoteSpec } from './zygote.ts'

export interface ZygotePlace {
  spawner: SpawnerClient
  cgroups: Cgroups
  slots: Slots
  /** Names this one among the zygotes of a launcher, and the launcher among those of the server. */
  number: number
  mark: string
  /** An empty directory, where it builds its root in a mount namespace of its own. */
  stage: string
  etc: string
  /** Of guests whose denied calls are heard of, and of those where that cannot be. */
  filters: { heard: string; plain: string }
  /** Its own user on the host, and the range that its guests are taken from, by slot. */
  users: { own: number; first: number; count: number }
}

const python = '/usr/bin/python3'
const scripts = join(import.meta.dirname, 'python')
const scriptsInside = '/opt/fork'
const filterInside = '/opt/guest.bpf'
const heardFilterInside = '/opt/guest-heard.bpf'
const loadMs = 60_000
const socketName = (number: number) => `zygote-${number}`

/** Starts a zygote and waits until it has loaded its modules. */
export async function startZygote(spec: ZygoteSpec, place: ZygotePlace): Promise<Zygote> {
  const { spawner, cgroups, slots, number, mark } = place
  const cgroup = cgroups.create(`${mark}-zygote-${number}`, { memoryMb: spec.memoryMb, processes: 2048 }, true)
  let spawned: Spawned
  try {
    const keeper = join(scripts, 'keeper.py')
    const command = [python, '-I', '-S', '-B', keeper, JSON.stringify(keeperSpec(spec, place))]
    spawned = await spawner.spawn({ command, cgroupFiles: cgroup.joinFiles })
  } catch (error) {
    await cgroup.remove()
    throw error
  }
  const waiting = new Map<number, Waiting>()
  const control = spawned.channel
  // the control connection is the zygote's alone
  const gone = new Promise<void>((resolve) => control.once('close', resolve))
  const ended = Promise.race([spawned.exited, gone]).then(async () => {
    control.destroy()
    // its keepers are in there, and would stay
    await cgroup.remove()
    await spawned.exited
    await untilDead(spawned.innerPid)
  })
  // with the keepers the guests are gone; whoever hears of that must not find the zygote in use any more
  void ended.then(() => {
    for (const [id, guest] of waiting) {
      waiting.delete(id)
      guest.failed('the zygote died')
      guest.exited({ code: null, signal: 'SIGKILL', isLost: true })
    }
  })
  const kill = async () => {
    try {
      process.kill(spawned.innerPid, 'SIGKILL')
    } catch {
      // gone already
    }
    await ended
  }
  let complaint = ''
  spawned.stdout.resume()
  spawned.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < 4000) complaint += chunk.toString('utf8')
  })
  const isReady = await untilReady(control, waiting, ended)
  if (!isReady) {
    await kill()
    throw new CoherexError('unavailable', 'Cannot load a zygote', {
      cause: new Error(complaint.trim().split('\n').at(-1)?.slice(0, 300) || 'it did not come up'),
    })
  }

  const pid = findOnlyChild(spawned.innerPid)
  let lastId = 0
  return {
    fork: (limits, { hasLink = false } = {}) =>
      forkGuest({
        ...{
          id: ++lastId,
          name: `${mark}-fork-${number}-${lastId}`,
          limits,
          spec,
          cgroups,
          slots,
          waiting,
          zygote: pid,
          hasLink,
        },
        connect: () => spawner.connectTo(socketName(number)),
      }),
    retire: () => void control.write('!'),
    kill,
    ended,
  }
}

/** The first process of a namespace is dead when all others of it are, which takes it a moment after it has left its control group. */
async function untilDead(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    try {
      if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return
    } catch {
      return
    }
    await wait(5)
  }
}

function keeperSpec(spec: ZygoteSpec, { spawner, number, stage, etc, filters, users }: ZygotePlace) {
  const { driver, modules, home, env } = spec
  const system = systemDirectories()
  const given = JSON.stringify({
    ...{ driver, modules, home, isFirst: spec.isFirst ?? false },
    ...{ filter: filterInside, heardFilter: heardFilterInside },
  })
  return {
    ...{ socket: spawner.socketPath(socketName(number)), stage, etc, home, env },
    argv: [spec.python ?? python, '-I', '-B', '-X', 'utf8', `${scriptsInside}/serve.py`, given],
    links: [
      ...system.flatMap(({ path, link }) => (link ? [[path.slice(1), link]] : [])),
      ...(spec.links ?? []).map(({ path, target }) => [path.slice(1), target]),
    ],
    binds: [
      ...system.flatMap(({ path, link }) => (link ? [] : [[path, path]])),
      ...spec.binds.map(({ host, guest }) => [guest, host]),
      [scriptsInside, scripts],
      [filterInside, filters.plain],
      [heardFilterInside, filters.heard],
    ],
    ...{ user: users.own, users: users.first, count: users.count, hasTerminals: spec.hasTerminals ?? false },
  }
}

/** Reads what the zygote reports, for as long as it lives; resolves with whether it came up. */
function untilReady(control: Socket, waiting: Map<number, Waiting>, ended: Promise<void>): Promise<boolean> {
  const decoder = new FrameDecoder()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), loadMs)
    const settle = (isReady: boolean) => {
      clearTimeout(timer)
      resolve(isReady)
    }
    void ended.then(() => settle(false))
    control.on('data', (chunk: Buffer) => {
      for (const message of decoder.push(chunk)) {
        const report = message as ZygoteReport
        if (report.type === 'ready') settle(true)
        else if (report.type === 'forked') waiting.get(report.id)?.forked(report)
        else if (report.type === 'failed') waiting.get(report.id)?.failed(report.reason)
        else if (report.type === 'denied') waiting.get(report.id)?.denied(report.call)
        else {
          waiting.get(report.id)?.exited(toExit(report))
          waiting.delete(report.id)
        }
      }
    })
  })
}
