export { default as page } from './plotly-page.ts?worker&url'
// as it was built by its makers: nothing of it is left out by taking it apart
export { default as library } from 'plotly.js-dist-min/plotly.min.js?url'
