import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const widths = [
  { name: 'wide', width: 1440, height: 900 },
  { name: 'narrow', width: 390, height: 800 },
]
const code = 'export default (env, { n }) => n * 2\n'

describe.skipIf(!hasChromium)('pages of every day', () => {
  let chat: ChatServer
  let studio: Studio
  let workspaceId: string
  let threadId: string

  beforeAll(async () => {
    chat = await startChatServer()
    chat.answer(({ tools }) => ({
      text: tools.length === 0 ? 'Numbers' : `A function:\n\n\`\`\`js title="Double"\n${code}\`\`\`\n`,
    }))
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    const { owner } = studio
    workspaceId = (await owner.call(routes.workspaces.create, { body: { name: 'Numbers' } })).id
    const write = (path: string, body: string) =>
      owner.call(routes.workspaces.writeFile, { params: { id: workspaceId, path }, body })
    const tool = 'kind: tool\nname: double\ndescription: Doubles a number\nlanguage: javascript\nlicence: MIT\n'
    const test = 'tests:\n  - { name: one, input: { n: 1 }, output: 2 }\n'
    await write('double/tool.yaml', `${tool}input: { type: object, properties: { n: { type: number } } }\n${test}`)
    await write('double/main.js', code)
    await owner.call(routes.tools.save, { body: { from: { workspaceId, path: 'double' } } })
    await owner.call(routes.tools.publishVersion, { params: { name: 'double' }, body: {} })
    const source =
      'kind: agent\nname: counter\ndescription: Counts\ninstructions: Count.\ntools: [files, "tool:double"]\n'
    await owner.call(routes.agents.create, { body: { source } })
    const thread = await owner.call(routes.threads.create, { body: {} })
    threadId = thread.id
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const settle = (page: Page) => page.waitForLoadState('networkidle')

  async function visit(page: Page, shot: string): Promise<void> {
    await settle(page)
    await expectAccessible(page)
    // nothing is wider than the window
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), shot).toBe(true)
  }

  test.each(['light', 'dark'] as const)(
    'are accessible in %s, wide and narrow',
    { timeout: 400_000 },
    async (colorScheme) => {
      const page = await studio.openWindow({ person: studio.owner, colorScheme })
      for (const { name, ...size } of widths) {
        await page.setViewportSize(size)
        const shot = (place: string) => `${place}-${colorScheme}-${name}`
        await page.goto('/')
        await page.getByRole('heading', { name: 'Hello, Olga' }).waitFor()
        await visit(page, shot('home'))

        await page.goto(`/threads/${threadId}`)
        const message = page.getByRole('textbox', { name: 'Message' })
        await message.fill('Double a number')
        await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
        await message.press('Enter')
        await page.getByRole('region', { name: 'Block: Double' }).last().waitFor()
        await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
        await visit(page, shot('chat'))

        for (const panel of ['config', 'packages', 'history', 'problems'] as const) {
          await page.goto(`/workspaces/${workspaceId}?file=double/main.js&panel=${panel}`)
          await page.getByRole('tab', { name: panel, selected: true }).waitFor()
          await visit(page, shot(`workspace-${panel}`))
        }
        await page.goto('/tools')
        await page.getByRole('table', { name: 'Tools' }).getByText('double').first().waitFor()
        await visit(page, shot('tools'))
        await page.goto('/tools/double?tab=mcp')
        await page.getByLabel('Address for MCP clients').waitFor()
        await visit(page, shot('tool-mcp'))
        await page.goto('/agents')
        await page.getByRole('main').getByText('counter', { exact: true }).first().waitFor()
        await visit(page, shot('agents'))
        await page.goto('/agents/counter')
        await page.getByRole('tab', { name: 'Edit', selected: true }).waitFor()
        await visit(page, shot('agent'))
      }
      await page.close()
    },
  )
})
