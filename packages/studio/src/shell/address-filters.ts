/** Some filters of a list: undefined takes one off. */
export type FilterChange<Filters> = { [Name in keyof Filters]?: Filters[Name] | undefined }

/** The filters that say something. */
export function compactFilters<Filters extends object>(filters: FilterChange<Filters>): Filters {
  const said = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(said) as Filters
}

/** One of these values; anything else in the address is ignored. */
export function oneOf<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given)
}

/** Words to search for: the router reads 42 as a number. */
export function wordsOf(given: unknown): string | undefined {
  return typeof given === 'string' || typeof given === 'number' ? String(given) : undefined
}

/** An id or name, if it looks like one. */
export function nameLike(shape: RegExp, given: unknown): string | undefined {
  return typeof given === 'string' && shape.test(given) ? given : undefined
}
