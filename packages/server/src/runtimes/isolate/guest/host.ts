/** What the sandboxed child lends to the guest library: strings and numbers only. Guest code never holds it. */
export interface Host {
  output(stream: string, text: string): void
  /** No more output will come: the limit was reached. */
  cut(): void
  /** A MIME bundle as JSON. */
  display(data: string): void
  /** A capability call; `args` is a wire value as JSON. Answered by `deliver('answer', id, …)`. */
  call(id: number, capability: string, method: string, args: string): void
  /** The same, and the guest waits. Returns an Answer as JSON. */
  callSync(capability: string, method: string, args: string): string
  /** The run's own files where no FILES capability was granted. Returns an Answer as JSON. */
  scratch(method: string, args: string): string
  setTimer(id: number, delayMs: number): void
  clearTimer(id: number): void
  /** Whether a script waits for the timer before it ends; one that is new is waited for. */
  holdTimer(id: number, isHeld: boolean): void
  /** The parts of a URL as JSON; undefined when it is not one. */
  parseUrl(url: string, base?: string): string | undefined
  /** The URL with one part replaced. */
  changeUrl(url: string, part: string, value: string): string
  /** What import() of a specifier in a module leads to; an ImportAnswer as JSON. */
  reach(specifier: string, from: string): string
  /** The source of a part of the library that is loaded on demand. */
  part(name: 'console' | 'extras'): string
  /** Base64 of so many random bytes. */
  random(bytes: number): string
  /** The program's own code came to its end; an Ending as JSON. */
  settle(ending: string): void
}

/** How a capability call came back. */
export type Answer = { value: unknown } | { error: { code: string; message: string } }

/** Modules that the guest had not got, as in Start; undefined where there is nothing to import. */
export type ImportAnswer =
  | (Pick<Start, 'modules' | 'resolutions'> & { target: string })
  | { error: { kind: 'syntax' | 'runtime' | 'denied'; message: string; place: string } }

/** How the program's code ended. `result` is JSON text, absent for undefined. A script waits for its timers and calls, as in Node. */
export type Ending = { ok: true; isScript: boolean; result?: string } | { ok: false; error: DescribedError }

export interface DescribedError {
  kind: 'syntax' | 'runtime' | 'denied' | 'memory' | 'output'
  name: string
  message: string
  /** As V8 wrote it, in positions of the transformed code. */
  stack: string
}

/** What a fresh isolate is told when a run begins. */
export interface Start {
  entry: string
  /** By id: a path of the program, "node:fs", or a package. JSON modules and what an import() brought carry their text. */
  modules: Record<string, { kind: 'code' | 'json' | 'bundle' | 'builtin'; text?: string; at?: number }>
  /** Per importing module: what each specifier means. */
  resolutions: Record<string, Record<string, string>>
  input?: unknown
  vars: Record<string, string>
  capabilities: Record<string, string[]>
  stdin?: string
  outputBytes: number
  resultBytes: number
  /** When a fixed clock begins, and what Math.random begins with; absent where both are real. */
  fixed?: { now: number; random: number[] }
}
