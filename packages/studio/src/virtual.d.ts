declare module 'virtual:contract-routes' {
  /** Method, path and kind of answer of each route. The schemas are types here and nothing at run time. */
  export const routes: Omit<typeof import('@coherex/contract').routes, 'artifacts' | 'shares' | 'openai'>
}

declare module 'virtual:artifact-routes' {
  /** The same of blocks of messages, which come after the first load. */
  export const routes: Pick<typeof import('@coherex/contract').routes, 'artifacts' | 'shares'>
}
