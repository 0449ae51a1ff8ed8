import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findLanguages } from '../languages/find-languages.ts'
import { processLanguages } from '../languages/languages.ts'
import { createSessionFixture, type Session } from './session-fixture.ts'

const isMissing = findLanguages(processLanguages).get('r')?.missing !== undefined
let fixture: Awaited<ReturnType<typeof createSessionFixture>>
let r: Session

beforeAll(async () => {
  fixture = await createSessionFixture(0x700e0000 + (process.pid % 100) * 1000)
  if (!isMissing) r = await fixture.start('r', { GREETING: 'hello' })
})
afterAll(() => fixture.close())
beforeEach((context) => {
  if (isMissing) context.skip('needs r-base-core')
})

describe('an R session', () => {
  test('[process.22] keeps variables and functions from cell to cell, and prints what a console prints', async () => {
    const first = await r.run('x <- 20\nf <- function(n) n + 1\nSys.getenv("GREETING")')
    expect(first).toMatchObject({ stdout: '[1] "hello"\n', result: 'hello' })
    expect(await r.run('x <- f(x)\nx')).toMatchObject({ stdout: '[1] 21\n', result: 21, error: undefined })
    expect((await r.run('readLines(file("stdin"))', { stdin: 'a\nb\n' })).result).toEqual(['a', 'b'])
    const input = await r.run('readLines(Sys.getenv("COHEREX_INPUT_FILE"), warn = FALSE)', { input: { n: 1 } })
    expect(input.result).toBe('{"n": 1}')
  })

  test('[process.22] tells errors by line, and goes on', async () => {
    const { error } = await r.run('y <- 1\nstop("out of cheese")')
    expect(error).toMatchObject({ kind: 'runtime', line: 2, message: 'Error: out of cheese' })
    expect((await r.run('a <- 1\nb <- = 2')).error).toMatchObject({ kind: 'syntax', line: 2 })
    expect((await r.run('warning("mind")')).stderr).toBe('Warning: mind\n')
    expect((await r.run('c(x, y)')).result).toEqual([21, 1])
  })

  test('[process.22] shows the plots of a cell with that cell', async () => {
    const told = await r.run('plot(1:3)\ndata.frame(a = 1)')
    expect(told.displays.map((data) => Object.keys(data))).toEqual([
      ['text/plain', 'text/html', 'application/vnd.coherex.frame+json'],
      ['text/plain', 'image/png'],
    ])
    expect((await r.run('1')).displays).toEqual([])
  })

  test('[process.22] asks for a line where somebody can be asked', async () => {
    const asked = await r.run('paste("I am", readline("Name? "))', {
      isInteractive: true,
      onMessage(message, session) {
        if (message.type === 'stdin-request')
          session.send({ type: 'stdin', id: message.id, text: `${message.prompt}Ada` })
      },
    })
    expect(asked.result).toBe('I am Name? Ada')
    expect((await r.run('nchar(readline("Name? "))')).result).toBe(0)
  })

  test('[process.22] tells its variables, and a data frame page by page', async () => {
    await r.run('rm(list = ls())\nn <- 1:3\nframe <- data.frame(a = 1:5, b = letters[1:5])')
    expect(await r.variables()).toMatchObject([
      { name: 'frame', type: 'data.frame', shape: [5, 2] },
      { name: 'n', type: 'integer', shape: [3] },
    ])
    const columns = [
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'character' },
    ]
    expect(await r.variable('frame', 3, 1)).toMatchObject({ table: { columns, rows: [[4, 'd']], offset: 3, total: 5 } })
    expect(await r.variable('n')).toMatchObject({ text: '[1] 1 2 3' })
    expect(await r.variable('none')).toBeUndefined()
  })

  test('[process.22] an interrupt stops the cell and what it started, and keeps the state', async () => {
    for (const code of ['repeat {}', 'Sys.sleep(60)', 'system("sleep 60")', 'readline("Name? ")']) {
      let isAsked = false
      const told = await r.run(`message("up")\n${code}`, {
        isInteractive: true,
        onMessage(message, session) {
          if (isAsked || message.type !== (code.startsWith('readline') ? 'stdin-request' : 'output')) return
          isAsked = true
          session.interrupt()
        },
      })
      expect(told, code).toMatchObject({ interrupted: true, ended: false })
    }
    expect((await r.run('n')).result).toEqual([1, 2, 3])
  })

  test('[process.22] says so where there is no R', async () => {
    const none = await fixture.start('r', {}, { PATH: '/nowhere' })
    const { error } = await none.run('1')
    expect(error).toMatchObject({ kind: 'validation', message: expect.stringContaining('not on this machine') })
    await none.close()
  })

  test('[process.22] ends when R ends', async () => {
    expect(await r.run('quit(status = 3)')).toMatchObject({ ended: true })
  })
})
