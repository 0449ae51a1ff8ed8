export const markdownOptions = { gfm: true, breaks: false }
