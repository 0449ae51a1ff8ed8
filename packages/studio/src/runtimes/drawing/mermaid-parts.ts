export { default as page } from './mermaid-page.ts?worker&url'
