import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionFixture, type Session } from './session-fixture.ts'

let fixture: Awaited<ReturnType<typeof createSessionFixture>>
let sql: Session

beforeAll(async () => {
  fixture = await createSessionFixture(0x700d0000 + (process.pid % 100) * 1000)
  sql = await fixture.start('sql')
})
afterAll(() => fixture.close())

describe('an SQL session', () => {
  test('keeps tables from cell to cell, and shows each result', async () => {
    const made = await sql.run(
      "create table sales as select * from (values ('a', 1), ('b', 2)) as t(team, amount); insert into sales values ('a', 3)",
    )
    expect(made).toMatchObject({
      error: undefined,
      result: undefined,
      pieces: ['info:1 row changed'],
    })
    const asked = await sql.run('select team, sum(amount) as total from sales group by team order by team')
    expect(asked.result).toEqual([
      { team: 'a', total: 4 },
      { team: 'b', total: 2 },
    ])
    expect(asked.displays).toEqual([expect.objectContaining({ 'text/html': expect.stringContaining('<table>') })])
  })

  test('takes the input of each cell', async () => {
    expect((await sql.run("select getvariable('input')->>'n' as n", { input: { n: 7 } })).result).toEqual([{ n: '7' }])
    expect((await sql.run("select getvariable('input') as n")).result).toEqual([{ n: null }])
  })

  test('tells mistakes by line, and goes on', async () => {
    expect((await sql.run('select 1;\nselect nope')).error).toMatchObject({ kind: 'runtime', line: 2, column: 8 })
    expect((await sql.run("select * from read_text('/etc/passwd')")).error?.kind).toBe('denied')
    expect((await sql.run('select count(*) as n from sales')).result).toEqual([{ n: 3 }])
  })

  test('has its tables and views as variables, a page at a time', async () => {
    await sql.run(
      'create view big as select * from sales where amount > 1; create table "odd ""name" as select 1 as one',
    )
    expect(await sql.variables()).toEqual([
      { name: 'big', type: 'view', value: '2 columns' },
      { name: 'odd "name', type: 'table', value: '1 row, 1 column', shape: [1, 1] },
      { name: 'sales', type: 'table', value: '3 rows, 2 columns', shape: [3, 2] },
    ])
    expect(await sql.variable('sales', 1, 1)).toMatchObject({
      table: {
        columns: [
          { name: 'team', type: 'VARCHAR' },
          { name: 'amount', type: 'INTEGER' },
        ],
        rows: [['b', 2]],
        offset: 1,
        total: 3,
      },
    })
    expect(await sql.variable('odd "name')).toMatchObject({ table: { rows: [[1]] } })
    expect(await sql.variable('none')).toBeUndefined()
  })

  test('an interrupt stops a query, and keeps the tables', async () => {
    const told = sql.run(
      "select 'up' as up; select count(*) from range(100000000) a, range(100000) b where hash(a.range, b.range) = 1",
      {
        onMessage: (message, session) => message.type === 'display' && session.interrupt(),
      },
    )
    expect(await told).toMatchObject({
      interrupted: true,
      ended: false,
      error: { message: 'The query was interrupted' },
    })
    expect((await sql.run('select count(*) as n from sales')).result).toEqual([{ n: 3 }])
  })

  test('an interrupt that was sent before a cell is not that of the cell', async () => {
    for (let round = 0; round < 3; round++) {
      sql.interrupt()
      const told = await sql.run('select count(*) as n from range(10000000) t(i) where hash(i) % 2 < 2')
      expect(told).toMatchObject({ result: [{ n: 10_000_000 }], interrupted: false })
    }
  })

  test('output past the limit of a cell is held back and told', async () => {
    const told = await sql.run('select 1; from range(1000); select 2', { outputBytes: 2000 })
    expect(told).toMatchObject({ truncated: true, error: undefined, result: [{ '2': 2 }] })
  })
})
