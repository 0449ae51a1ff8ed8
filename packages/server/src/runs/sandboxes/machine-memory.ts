import { CoherexError } from '@coherex/contract'

/** What this machine has for sandboxes. */
export interface MachineMemory {
  /** What all of them may use together; the kernel holds them to it where it can. */
  capMb: number
  /** How many times over it may be promised: few sandboxes use all they may have. */
  overcommit: number
  /** What they use now. */
  usedMb(): number
}

/** An empty sandbox with its first session. */
const neededMb = 64
const retryAfterSeconds = 30

/** Throws when the machine cannot take another sandbox, whoever it is for. `promisedMb` is what those that are awake may have. */
export function checkMachine({ capMb, overcommit, usedMb }: MachineMemory, promisedMb: number, memoryMb: number): void {
  const used = usedMb()
  if (used + neededMb > capMb) {
    throw refusal(`they use ${Math.round(used)} of the ${capMb} MB it has for them`)
  }
  if (promisedMb + memoryMb > capMb * overcommit) {
    throw refusal(`${promisedMb} MB are promised to those that are awake, of ${Math.round(capMb * overcommit)}`)
  }
}

function refusal(why: string): CoherexError {
  return new CoherexError(
    'unavailable',
    `Cannot open a sandbox: this machine is full of them, ${why}. Try again later`,
    {
      retryAfterSeconds,
    },
  )
}
