export { default as page } from './vega-page.ts?worker&url'
