export { default as page } from './react-page.ts?worker&url'
