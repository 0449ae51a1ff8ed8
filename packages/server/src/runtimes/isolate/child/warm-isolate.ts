import { randomBytes } from 'node:crypto'
import ivm from 'isolated-vm'

/** What the guest library may ask of the child; see guest/host.ts. Strings and numbers only. */
export interface HostFunctions {
  output(stream: string, text: string): void
  cut(): void
  display(data: string): void
  call(id: number, capability: string, method: string, args: string): void
  callSync(capability: string, method: string, args: string): Promise<string>
  scratch(method: string, args: string): string
  reach(specifier: string, from: string): string
  setTimer(id: number, delayMs: number): void
  clearTimer(id: number): void
  holdTimer(id: number, isHeld: boolean): void
  settle(ending: string): void
  /** In place of real randomness. */
  random?(size: number): string
}

type Task = [kind: 'start' | 'timer' | 'answer', text: string, id: number, bodies?: ivm.Reference[]]

/** A context with the guest library in it, made before anybody needs it. Used once; its isolate may have another afterwards. */
export interface WarmIsolate {
  readonly isolate: ivm.Isolate
  readonly context: ivm.Context
  readonly memoryMb: number
  /** Runs the guest on this thread until it waits for something or has ended. */
  enter(...task: Task): void
  /** The same on a thread of its own: there it may wait for answers of the host in the middle of its work. */
  enterApart(...task: Task): Promise<void>
  /** From now on the library's calls go to this run. */
  attach(host: HostFunctions): void
  /** Whether its program may have left code that runs by itself later. */
  readonly lingers: boolean
  /** Lets go of the context; nothing that its program left is heard any more. */
  leave(): void
}

/** The guest library: the part that every isolate has, as make-snapshot.ts made it, and sources that are loaded on demand. */
interface Library {
  snapshot: Uint8Array
  parts: Record<string, string>
}

/** Makes isolates with the guest library already run in them, from a snapshot of it. */
export function createIsolateMaker({ snapshot: bytes, parts }: Library) {
  const snapshot = new ivm.ExternalCopy(new Uint8Array(bytes).buffer)
  const answers: Record<string, (...args: never[]) => unknown> = {
    parseUrl,
    changeUrl,
    random: (size: number) => randomBytes(Math.min(Math.max(Number(size) || 0, 0), 65_536)).toString('base64'),
    part: (name: string) => parts[name],
  }

  /** A context of its own, as the snapshot has it: globals, builtins and library are no other context's. */
  const furnish = (isolate: ivm.Isolate, memoryMb: number): WarmIsolate => {
    const context = isolate.createContextSync()
    let host: HostFunctions | undefined
    let lingers = false
    const post = (what: Exclude<keyof HostFunctions, 'callSync' | 'scratch' | 'reach'>, ...args: never[]) => {
      if ((what as string) === 'linger') return void (lingers = true)
      const act = host?.[what] as ((...args: never[]) => void) | undefined
      try {
        act?.(...args)
      } catch {
        // only what the guest made of its own library cannot be read, and it hears nothing of our side
      }
    }
    const ask = (what: string, ...args: never[]) => {
      if (what === 'scratch' || what === 'reach') return host?.[what](args[0]!, args[1]!)
      return what === 'random' && host?.random ? host.random(args[0]!) : answers[what]?.(...args)
    }
    const wait = (capability: string, method: string, args: string) => host?.callSync(capability, method, args)
    const attach = context.global.getSync('__coherex', { reference: true }) as ivm.Reference
    const doors = [new ivm.Callback(post, { sync: true }), new ivm.Callback(ask, { sync: true })]
    const enter = attach.applySync(undefined, doors, { result: { reference: true } }) as ivm.Reference
    const toArguments = (...[kind, text, id, bodies = []]: Task) => [
      kind,
      text,
      id,
      ...bodies.map((body) => body.derefInto()),
    ]
    let mayWait = false

    return {
      isolate,
      context,
      memoryMb,
      attach(given) {
        host = given
      },
      enter: (...task) => enter.applySync(undefined, toArguments(...task)) as void,
      enterApart(...task) {
        if (!mayWait) enter.applySync(undefined, ['wait', '', 0, new ivm.Reference(wait)])
        mayWait = true
        return enter.apply(undefined, toArguments(...task)) as Promise<void>
      },
      get lingers() {
        return lingers
      },
      leave() {
        host = undefined
        for (const held of [enter, attach]) held.release()
        context.release()
      },
    }
  }

  return {
    make(memoryMb: number): WarmIsolate {
      const isolate = new ivm.Isolate({ memoryLimit: memoryMb, snapshot, onCatastrophicError: () => process.abort() })
      return furnish(isolate, memoryMb)
    },
    /** Another context in the isolate of one that was used. */
    renew({ isolate, memoryMb, leave }: WarmIsolate): WarmIsolate {
      leave()
      return furnish(isolate, memoryMb)
    },
  }
}

const urlParts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

function parseUrl(url: string, base?: string): string | undefined {
  const parsed = URL.parse(String(url), base === undefined ? undefined : String(base))
  return parsed ? partsOf(parsed) : undefined
}

function changeUrl(href: string, part: string, value: string): string {
  const url = new URL(String(href))
  const name = urlParts.find((known) => known === part)
  if (name && name !== 'origin' && name !== 'href') url[name] = String(value)
  return partsOf(url)
}

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(urlParts.map((part) => [part, url[part]])))
}
