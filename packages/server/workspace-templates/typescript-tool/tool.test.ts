import countWords from './tool.ts'

const output = await countWords(undefined, { text: 'one three two' })
if (output.words !== 3 || output.longest !== 'three') throw new Error(`Unexpected: ${JSON.stringify(output)}`)
console.log('The tool works', output)
