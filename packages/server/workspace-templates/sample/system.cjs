const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')

const text = readFileSync('data/temperatures.csv')
console.log(`Node.js ${process.version}`)
console.log(`SHA-256 of the data: ${createHash('sha256').update(text).digest('hex')}`)
