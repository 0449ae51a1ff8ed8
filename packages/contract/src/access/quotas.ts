import { z } from 'zod'

/** What one team may use of the machine. Operators set it; everyone in the team sees it beside what is used. */
export const quotas = z.object({
  runsAtOnce: z.number().int().min(0).max(1000),
  runSecondsPerDay: z.number().int().min(0).max(100_000_000),
  storageMb: z.number().int().min(0).max(100_000_000),
  /** Live sandboxes that are awake, and the memory they may have together. */
  sandboxesAtOnce: z.number().int().min(0).max(10_000),
  sandboxMemoryMb: z.number().int().min(0).max(100_000_000),
  /** Turns of agents under way, of the team and of each person; more wait in a queue. */
  turnsAtOnce: z.number().int().min(0).max(10_000),
  turnsPerPerson: z.number().int().min(0).max(10_000),
  members: z.number().int().min(1).max(10_000),
  spendUsdPerMonth: z.number().min(0).max(1_000_000),
  /** The part of it that one person may take for suggestions and answers in the editor. */
  inlineHelpUsdPerPerson: z.number().min(0).max(1_000_000),
})
export type Quotas = z.infer<typeof quotas>

export const defaultQuotas: Quotas = {
  runsAtOnce: 16,
  runSecondsPerDay: 36_000,
  storageMb: 10_240,
  sandboxesAtOnce: 20,
  sandboxMemoryMb: 16_384,
  turnsAtOnce: 200,
  turnsPerPerson: 100,
  members: 50,
  spendUsdPerMonth: 100,
  inlineHelpUsdPerPerson: 20,
}

/** What is used now, by the same names. */
export const quotaUsage = z.object({ limits: quotas, used: z.record(z.string(), z.number()) })
