// What the conformance suite starts as a client: it asks the test's process to be one, where all of it is loaded once.
import { request } from 'node:http'

const call = request({ socketPath: process.argv[2], method: 'POST' }, (answer) => {
  answer.pipe(process.stderr)
  process.exitCode = answer.statusCode === 200 ? 0 : 1
})
call.end(JSON.stringify({ url: process.argv.at(-1), context: process.env.MCP_CONFORMANCE_CONTEXT ?? '{}' }))
