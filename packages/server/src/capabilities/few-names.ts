import { z } from 'zod'

/** An object with a bounded number of names, which are counted first: to look at 100,000 of them would hold up the server. */
export function fewNames<Output, Input>(most: number, record: z.ZodType<Output, Input>) {
  return z
    .custom<Input>((given) => !isObject(given) || Object.keys(given).length <= most, {
      error: `More than ${most} names`,
      abort: true,
    })
    .pipe(record)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
