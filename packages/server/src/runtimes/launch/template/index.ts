export { startTemplate } from './start-template.ts'
export type { ForkOptions, Template, TemplateSpec } from './template.ts'
