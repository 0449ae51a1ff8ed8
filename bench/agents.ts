// What our agent loop adds to a step, beside a bare AI SDK loop on the same scripted model.
// Run: node bench/agents.ts
import { runBareTurn } from '../packages/server/tests/harness/load/bare-agent-loop.ts'
import { startChatServer, type ChatServer } from '../packages/server/tests/harness/outside/chat-server.ts'
import { makeDataDirectory, startBenchServer } from './bench-server.ts'
import { median, type Row } from './measure.ts'

const stepsPerTurn = 10
const turns = 15

/** Nine calls and an answer, however it is asked. */
function script(chat: ChatServer): void {
  chat.answer(({ messages, tools }) => {
    if (tools.length === 0) return { text: 'A title' }
    const last = messages.findLastIndex(({ role }) => role === 'user')
    const done = messages.slice(last).filter(({ role }) => role === 'tool').length
    return done < stepsPerTurn - 1 ? { calls: [{ name: 'list_files', arguments: {} }] } : { text: 'Done.' }
  })
}

const goalMs = 10

export async function benchAgents(): Promise<Row[]> {
  const chat = await startChatServer()
  script(chat)
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path, { COHEREX_COMPATIBLE_BASE_URL: chat.url })
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` },
      body: JSON.stringify(body),
    })
  try {
    const workspace = (await (await post('/api/v1/workspaces', { name: 'Bench' })).json()) as { id: string }
    const ourTurn = async () => {
      const thread = (await (await post('/api/v1/threads', { workspaceId: workspace.id, title: 'Bench' })).json()) as {
        id: string
      }
      const began = performance.now()
      const answer = await (await post(`/api/v1/threads/${thread.id}/turns`, { text: 'Look around' })).text()
      if (!answer.includes('Done.')) throw new Error(`A turn failed: ${answer.slice(-500)}`)
      return performance.now() - began
    }
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < 5; round++) {
      await ourTurn()
      await runBareTurn(chat.url, stepsPerTurn)
    }
    // in turns, so that a busy moment of the machine weighs on both alike
    for (let round = 0; round < turns; round++) {
      times.ours.push((await ourTurn()) / stepsPerTurn)
      const began = performance.now()
      await runBareTurn(chat.url, stepsPerTurn)
      times.bare.push((performance.now() - began) / stepsPerTurn)
    }
    const [ours, bare] = [median(times.ours), median(times.bare)]
    const value = ours - bare
    return [
      {
        ...{
          what: 'our part of an agent’s step, p50',
          value,
          unit: 'ms',
          goal: `≤ ${goalMs}`,
          reached: value <= goalMs,
        },
        ...{ bare, ratio: ours / bare },
      },
    ]
  } finally {
    await server.stop()
    await directory.remove()
    await chat.stop()
  }
}

if (import.meta.main) console.table(await benchAgents())
