import { afterAll } from 'vitest'
import { startChatServer, type ChatServer } from './outside/chat-server.ts'
import { startTestServer, type TestPerson, type TestServer } from './test-server.ts'

interface AgentServer {
  /** The model of all agents: it says what a test has it say. */
  chat: ChatServer
  server: TestServer
  owner: TestPerson
}

/** The product with a model, for the tests of the file that asks for it. */
export async function startAgentServer(settings: Record<string, string> = {}): Promise<AgentServer> {
  const chat = await startChatServer()
  const server = await startTestServer({ COHEREX_COMPATIBLE_BASE_URL: chat.url, ...settings })
  afterAll(async () => {
    await server.stop()
    await chat.stop()
  })
  return { chat, server, owner: await server.owner() }
}
