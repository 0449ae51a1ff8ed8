export type { Price } from './catalogue.ts'
export { addTokens, costOf, noTokens, type TokenUse } from './cost.ts'
export { createModels, type Models, type ResolvedModel } from './models.ts'
