import { CoherexError, languageFacts, type Fix, type Receipt, type RuntimeName } from '@coherex/contract'
import type { Outcome, Program, RunOptions, Runtime } from './runtime.ts'
import type { Sandbox, SandboxSpec } from './sandbox.ts'

/** How one program is to be run: on the cheapest runtime that takes it. */
export interface Choice {
  runtime: Runtime
  receipt: Receipt
}

export interface RouterOptions extends RunOptions {
  /** The caller's own choice; nothing else is tried then. */
  only?: RuntimeName | undefined
  /** What `choose` said of the program before, where that is not long ago. */
  choice?: Choice | undefined
  /** Told which runtime takes the run, again when another one has to. */
  onRoute(receipt: Receipt): void
}

/** Picks the cheapest healthy runtime that takes a program, says why, and goes on to the next when one fails to start. */
export interface Router {
  readonly runtimes: readonly Runtime[]
  /** Throws when no runtime takes the program. */
  choose(program: Program, only?: RuntimeName): Choice
  run(program: Program, options: RouterOptions): Promise<Outcome>
  /** Throws when no runtime has sandboxes that live on. */
  open(spec: SandboxSpec, only?: RuntimeName): Promise<OpenedSandbox>
}

/** A sandbox that lives on, and which runtime made it and why. */
export interface OpenedSandbox {
  sandbox: Sandbox
  receipt: Receipt
}

/** `runtimes` from the cheapest to the dearest. */
export function createRouter(runtimes: readonly Runtime[]): Router {
  return { runtimes, choose, run, open }

  function choose(program: Program, only?: RuntimeName): Choice {
    const passedOver: Receipt['passedOver'] = []
    const refusals: string[] = []
    // once a cheaper one takes it, a dearer one was never in question
    const runtime = runtimes.find((one) => {
      if (only && one.name !== only) return false
      const why = whyNot(one, program)
      if (why === undefined) return true
      refusals.push(`${one.name}: ${why}`)
      passedOver.push({ name: one.name, reason: why })
      return false
    })
    if (!runtime)
      throw nobodyTakes(program, { only, refusals, field: fieldInTheWay(program, only), fixes: fixesFor(program) })
    if (!only) {
      const reason = `the cheapest runtime that takes ${program.language}`
      return { runtime, receipt: { name: runtime.name, reason, passedOver } }
    }
    const others = runtimes.filter((one) => one !== runtime)
    const notAsked = others.map(({ name }) => ({ name, reason: `the caller asked for ${only}` }))
    return { runtime, receipt: { name: runtime.name, reason: 'the caller asked for it', passedOver: notAsked } }
  }

  /** How to get the language, where the machine has it not. */
  function fixesFor({ language }: Program): Fix[] {
    const missing = runtimes.flatMap((one) => one.language?.(language) ?? []).find((one) => one.missing !== undefined)
    const label = `Install ${languageFacts[language].name} on the server`
    return missing ? [{ kind: 'install-language', value: missing.install, label }] : []
  }

  /** The field of the request without which something here would take the program. */
  function fieldInTheWay(program: Program, only: RuntimeName | undefined): string | undefined {
    const asked = runtimes.filter(({ name }) => !only || name === only)
    const isTaken = (one: Program, by: readonly Runtime[] = asked) =>
      by.some((runtime) => whyNot(runtime, one) === undefined)
    if (only !== undefined && isTaken(program, runtimes)) return 'runtime'
    if (isTaken({ ...program, typecheck: false })) return 'typecheck'
    return isTaken({ ...program, typecheck: false, packages: [] }) ? 'packages' : undefined
  }

  async function run(program: Program, options: RouterOptions): Promise<Outcome> {
    const { receipt, ...choice } = options.choice ?? choose(program, options.only)
    const passedOver = [...receipt.passedOver]
    options.onRoute(receipt)
    for (let { runtime } = choice; ;) {
      let started = false
      try {
        return await runtime.run(program, {
          ...options,
          onStart() {
            started = true
            options.onStart()
          },
        })
      } catch (error) {
        // code that has begun may have had effects: it is never run twice
        if (started || options.signal.aborted || options.only) throw error
        const dearer = runtimes.slice(runtimes.indexOf(runtime) + 1)
        const next = dearer.find((one) => whyNot(one, program) === undefined)
        if (!next) throw error
        passedOver.push({ name: runtime.name, reason: 'failed to start' })
        runtime = next
        options.onRoute({ name: next.name, reason: 'the runtimes before it failed to start', passedOver })
      }
    }
  }

  async function open(spec: SandboxSpec, only?: RuntimeName): Promise<OpenedSandbox> {
    const passedOver: Receipt['passedOver'] = []
    for (const runtime of runtimes) {
      const { available, reason = 'not available' } = runtime.health()
      const refusal =
        (only && runtime.name !== only && `the caller asked for ${only}`) ||
        (!runtime.open && 'its sandboxes live for one run') ||
        (!available && reason)
      if (refusal || !runtime.open) {
        passedOver.push({ name: runtime.name, reason: refusal || reason })
        continue
      }
      const why = only ? 'the caller asked for it' : 'the cheapest runtime whose sandboxes live on'
      return { sandbox: await runtime.open(spec), receipt: { name: runtime.name, reason: why, passedOver } }
    }
    const tried = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ')
    throw new CoherexError('unavailable', `Cannot open a sandbox here: ${tried || 'there is no runtime'}`)
  }
}

function whyNot(runtime: Runtime, program: Program): string | undefined {
  const refusal = runtime.refuses(program)
  if (refusal) return refusal
  const { available, reason = 'not available' } = runtime.health()
  return available ? undefined : reason
}

function nobodyTakes(
  program: Program,
  {
    only,
    refusals,
    field,
    fixes,
  }: { only: RuntimeName | undefined; refusals: string[]; field: string | undefined; fixes: Fix[] },
): CoherexError {
  const what = only ? `${program.language} on the runtime "${only}"` : program.language
  const message = `Cannot run ${what} here: ${refusals.join('; ') || 'there is no such runtime'}`
  if (field === undefined)
    return new CoherexError('unavailable', message, fixes.length > 0 ? { details: { fixes } } : {})
  // asked for otherwise it would be taken, and later is no better
  return new CoherexError('invalid_input', message, { details: [{ field, message }] })
}
