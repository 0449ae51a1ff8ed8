import { durationToMs, type AgentLimits, type TurnEnding } from '@coherex/contract'
import { type Price, addTokens, costOf, noTokens, type TokenUse } from '../../models/index.ts'

/** What is left for a turn, and what an agent it asks inherits of that. */
export interface BudgetLimits {
  steps: number
  tokens: number
  costUsd: number
  /** What the team had left of its month. It holds as far as prices are known; `costUsd` holds or the turn does not begin. */
  teamUsd: number
  /** Milliseconds since the epoch. */
  deadline: number
  depth: number
}

/** A budget as it is stored with its turn. No limit is null; time is what is left, because waiting takes none. */
export interface StoredBudget {
  steps: number
  tokens: number | null
  costUsd: number | null
  /** Turns that were stored before it was counted have none. */
  teamUsd?: number | null
  timeLeftMs: number
  depth: number
  used: { steps: number; tokens: TokenUse; costUsd: number | null }
}

const defaultSteps = 20
const defaultTime = '10m'
const defaultDepth = 2

/** Counts what a turn takes and says, before each model call, whether one more fits. */
export class Budget {
  readonly limits: BudgetLimits
  steps = 0
  tokens: TokenUse = noTokens
  /** Null as soon as one call's price is unknown. */
  costUsd: number | null = 0
  readonly #parent: Budget | undefined

  constructor(limits: BudgetLimits, parent?: Budget) {
    this.limits = limits
    this.#parent = parent
  }

  static of(limits: AgentLimits | undefined, now: number, teamUsd = Infinity): Budget {
    return new Budget({
      steps: limits?.steps ?? defaultSteps,
      tokens: limits?.tokens ?? Infinity,
      costUsd: limits?.costUsd ?? Infinity,
      teamUsd,
      deadline: now + durationToMs(limits?.time ?? defaultTime),
      depth: limits?.depth ?? defaultDepth,
    })
  }

  /** Goes on counting in another process; for an agent that another one asked, there too. */
  static restore(stored: StoredBudget, now: number, parent?: Budget): Budget {
    const limits = {
      steps: stored.steps,
      tokens: stored.tokens ?? Infinity,
      costUsd: stored.costUsd ?? Infinity,
      teamUsd: stored.teamUsd ?? Infinity,
      deadline: Math.min(now + stored.timeLeftMs, parent?.limits.deadline ?? Infinity),
      depth: stored.depth,
    }
    const budget = new Budget(limits, parent)
    Object.assign(budget, stored.used)
    return budget
  }

  toStored(now: number): StoredBudget {
    const { steps, tokens, costUsd, teamUsd, deadline, depth } = this.limits
    return {
      steps,
      tokens: Number.isFinite(tokens) ? tokens : null,
      costUsd: Number.isFinite(costUsd) ? costUsd : null,
      teamUsd: Number.isFinite(teamUsd) ? teamUsd : null,
      timeLeftMs: Math.max(0, deadline - now),
      depth,
      used: { steps: this.steps, tokens: this.tokens, costUsd: this.costUsd },
    }
  }

  /** For an agent that this turn asks: its own limits, within what is left here. */
  inherit(limits: AgentLimits | undefined, now: number): Budget {
    const own = Budget.of(limits, now).limits
    return new Budget(
      {
        steps: Math.min(own.steps, this.limits.steps - this.steps),
        tokens: Math.min(own.tokens, this.limits.tokens - total(this.tokens)),
        costUsd: Math.min(own.costUsd, this.limits.costUsd - (this.costUsd ?? 0)),
        teamUsd: this.limits.teamUsd - (this.costUsd ?? 0),
        deadline: Math.min(own.deadline, this.limits.deadline),
        depth: Math.min(own.depth, this.limits.depth - 1),
      },
      this,
    )
  }

  /** One model call. What an asked agent takes, the asking one has taken too. */
  add(tokens: TokenUse, price: Price | undefined): number | null {
    const cost = costOf(tokens, price)
    this.#take(tokens, cost)
    return cost
  }

  #take(tokens: TokenUse, cost: number | null): void {
    this.steps++
    this.tokens = addTokens(this.tokens, tokens)
    this.costUsd = this.costUsd === null || cost === null ? null : this.costUsd + cost
    if (this.#parent) this.#parent.#take(tokens, cost)
  }

  /** Why no further call may be made; undefined when one may. */
  refuses(now: number): TurnEnding | undefined {
    const { steps, tokens, costUsd, teamUsd, deadline } = this.limits
    if (this.steps >= steps) return { kind: 'steps', message: `It took all of its ${steps} steps` }
    if (total(this.tokens) >= tokens) return { kind: 'tokens', message: `It took all of its ${tokens} tokens` }
    if (this.costUsd !== null && this.costUsd >= costUsd) {
      return { kind: 'cost', message: `It cost as much as it may: ${costUsd.toFixed(2)} US dollars` }
    }
    if (this.costUsd !== null && this.costUsd >= teamUsd) {
      return { kind: 'cost', message: 'It took what was left of the US dollars that the team may spend in a month' }
    }
    if (now >= deadline) return { kind: 'time', message: 'It took all of its time' }
    return undefined
  }

  /** A limit on money that cannot be held, because nobody knows the price. */
  cannotHold(price: Price | undefined): boolean {
    return price === undefined && Number.isFinite(this.limits.costUsd)
  }
}

function total({ input, output }: TokenUse): number {
  return input + output
}
