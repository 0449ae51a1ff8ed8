export { default as page } from './html-page.ts?worker&url'
