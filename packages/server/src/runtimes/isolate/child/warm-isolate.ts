import { randomBytes } from 'node:crypto'
import ivm from 'isolated-vm'
import { guestLibrary } from './source-positions.ts'

/** What the guest library may ask of the child; see guest/host.ts. Strings and numbers only. */
export interface HostFunctions {
  output(stream: string, text: string): void
  display(data: string): void
  call(id: number, capability: string, method: string, args: string): void
  callSync(capability: string, method: string, args: string): Promise<string>
  scratch(method: string, args: string): string
  setTimer(id: number, delayMs: number): void
  clearTimer(id: number): void
  settle(ending: string): void
}

/** An isolate with the guest library in it, made before anybody needs it. Used once. */
export interface WarmIsolate {
  readonly isolate: ivm.Isolate
  readonly context: ivm.Context
  readonly memoryMb: number
  start(text: string, bodies: ivm.Reference[]): Promise<void>
  deliver(kind: 'timer' | 'answer', id: number, text: string): Promise<void>
  /** From now on the library's calls go to this run. */
  attach(host: HostFunctions): void
}

const glue = `
const { boot } = globalThis.__coherex
delete globalThis.__coherex
const callSync = $3
const guest = boot({
  output: $0, display: $1, call: $2,
  callSync: (capability, method, args) => callSync.applySyncPromise(undefined, [capability, method, args]),
  scratch: $4, setTimer: $5, clearTimer: $6, settle: $7, parseUrl: $8, changeUrl: $9, random: $10,
})
return [guest.start, guest.deliver]`

/** Makes isolates with the guest library already run in them, from a snapshot of the library's code. */
export function createIsolateMaker(library: string) {
  const snapshot = ivm.Isolate.createSnapshot([{ code: library, filename: guestLibrary }])

  return (memoryMb: number): WarmIsolate => {
    const isolate = new ivm.Isolate({ memoryLimit: memoryMb, snapshot, onCatastrophicError: () => process.abort() })
    const context = isolate.createContextSync()
    let host: HostFunctions | undefined
    const later = (act: (...args: never[]) => void) => new ivm.Callback(act, { ignored: true })
    const now = (act: (...args: never[]) => unknown) => new ivm.Callback(act, { sync: true })
    const functions = context.evalClosureSync(
      glue,
      [
        later((stream: string, text: string) => host?.output(stream, text)),
        later((data: string) => host?.display(data)),
        later((id: number, capability: string, method: string, args: string) =>
          host?.call(id, capability, method, args),
        ),
        new ivm.Reference((capability: string, method: string, args: string) =>
          host?.callSync(capability, method, args),
        ),
        now((method: string, args: string) => host?.scratch(method, args)),
        later((id: number, delayMs: number) => host?.setTimer(id, delayMs)),
        later((id: number) => host?.clearTimer(id)),
        later((ending: string) => host?.settle(ending)),
        now(parseUrl),
        now(changeUrl),
        now((size: number) => randomBytes(Math.min(Math.max(Number(size) || 0, 0), 65_536)).toString('base64')),
      ],
      { filename: guestLibrary, result: { reference: true } },
    ) as ivm.Reference<[start: unknown, deliver: unknown]>
    const start = functions.getSync(0, { reference: true })
    const deliver = functions.getSync(1, { reference: true })

    return {
      isolate,
      context,
      memoryMb,
      attach(given) {
        host = given
      },
      start: (text, bodies) =>
        start.apply(undefined, [text, ...bodies.map((body) => body.derefInto())]) as Promise<void>,
      deliver: (kind, id, text) => deliver.apply(undefined, [kind, id, text]) as Promise<void>,
    }
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
