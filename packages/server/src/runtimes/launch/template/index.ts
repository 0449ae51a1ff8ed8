export { startTemplate } from './start-template.ts'
export type { Template, TemplateSpec } from './template.ts'
