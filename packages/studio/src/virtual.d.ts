declare module 'virtual:contract-routes' {
  /** Method, path and kind of answer of each route. The schemas are types here and nothing at run time. */
  export const routes: typeof import('@coherex/contract').routes
}
