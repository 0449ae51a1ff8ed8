import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, createFixture, type Fixture } from '../process-fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(0x700a0000 + (process.pid % 100) * 1000)
  await fixture.runtime.warm()
})
afterAll(async () => fixture.close())

const sql = (code: string, ask: Ask = {}) =>
  fixture.run('sql', code, { ...ask, limits: { memoryMb: 512, ...ask.limits } })

describe('what it answers', () => {
  test('[process.20] every result is a table in three forms, and the rows of the last are the result', async () => {
    const told = await sql(
      `create table t(a int, b text); insert into t values (1, '<b>'), (2, null); select 'x' as x; from t`,
    )
    expect(told).toMatchObject({
      status: 'succeeded',
      result: [
        { a: 1, b: '<b>' },
        { a: 2, b: null },
      ],
    })
    expect(told.displays).toHaveLength(2)
    expect(told.displays[1]).toEqual({
      'text/plain': 'a  b\n─  ────\n1  <b>\n2  NULL\n2 rows',
      'text/html': expect.stringContaining('<td align="left">&#60;b&#62;</td>'),
      'application/json': {
        columns: [
          { name: 'a', type: 'INTEGER' },
          { name: 'b', type: 'VARCHAR' },
        ],
        rows: [
          [1, '<b>'],
          [2, null],
        ],
        rowCount: 2,
      },
    })
    expect(told.lines).toContainEqual(expect.objectContaining({ stream: 'info', text: '2 rows changed' }))
  })

  test('[process.20] values keep their meaning in JSON', async () => {
    const { result } =
      await sql(`select 9007199254740991 as whole, 9007199254740993 as big, 170141183460469231731687303715884105727::hugeint as huge,
      1.10::decimal(5,2) as exact, 0.5 as half, 12345678901234567.89::decimal(38,2) as long, 100::decimal(10,0) as round, 'nan'::double as nan, '-inf'::float as inf, true as yes, null as nothing,
      date '2026-02-28' as day, timestamp '2026-02-28 12:34:56.5' as moment, time '01:02:03' as clock, interval 3 days as span,
      [1, null] as list, {'a': {'b': [date '2026-01-01']}} as struct, map {'k': 1} as map, map {1: 2} as numbers,
      'a'::enum('a', 'b') as one_of, '\\x00\\xFF'::blob as bytes, '8f4e2c1a-0000-4000-8000-000000000001'::uuid as id, 1 as a, 2 as a`)
    expect(result).toEqual([
      {
        ...{ whole: 9007199254740991, big: '9007199254740993', huge: '170141183460469231731687303715884105727' },
        ...{
          exact: 1.1,
          half: 0.5,
          long: '12345678901234567.89',
          round: 100,
          nan: null,
          inf: null,
          yes: true,
          nothing: null,
        },
        ...{ day: '2026-02-28', moment: '2026-02-28 12:34:56.5', clock: '01:02:03', span: '3 days' },
        ...{ list: [1, null], struct: { a: { b: ['2026-01-01'] } }, map: { k: 1 }, numbers: [[1, 2]] },
        ...{ one_of: 'a', bytes: 'AP8=', id: '8f4e2c1a-0000-4000-8000-000000000001', a: 1, a_1: 2 },
      },
    ])
  })

  test('[process.20] numbers stand to the right, with the digits of their type', async () => {
    const { displays } = await sql(`select 'a' as name, 200.5::decimal(8,2) as sum union all select 'b', 3`)
    expect(displays[0]).toMatchObject({
      'text/plain': 'name     sum\n────  ──────\na     200.50\nb       3.00\n2 rows',
      'text/html': expect.stringContaining('<td align="right">200.50</td>'),
      'application/json': {
        columns: [{ type: 'VARCHAR' }, { type: 'DECIMAL(12,2)' }],
        rows: [
          ['a', 200.5],
          ['b', 3],
        ],
      },
    })
  })

  test('[process.20] more rows than anyone reads are counted, not told', async () => {
    const told = await sql("select range as n, repeat('x', 300) as wide from range(2000000)")
    expect((told.result as unknown[]).length).toBe(1000)
    expect(told.displays[0]).toMatchObject({ 'application/json': { rowCount: 2_000_000 } })
    expect(told.displays[0]?.['text/plain']).toMatch(/2000000 rows, the first 100 shown$/)
    expect(told.truncated).toBe(false)
  })

  test('[process.20] input is a variable', async () => {
    const { result } = await sql(`select (getvariable('input')->>'$.n')::int * 2 as twice`, { input: { n: 21 } })
    expect(result).toEqual([{ twice: 42 }])
  })
})

describe('files', () => {
  test('[process.20] files of the run are tables, and what is copied to files comes back', async () => {
    const first = await sql(
      `copy (select s.name, sum(amount) as total from 'data/sales.csv' s join 'teams.json' t using (name) group by 1 order by 1) to 'out.parquet';
       copy (from 'out.parquet') to 'out.csv'; from 'out.parquet'`,
      { files: { 'data/sales.csv': 'name,amount\na,1\nb,2\na,3\n', 'teams.json': '[{"name":"a"},{"name":"b"}]' } },
    )
    expect(first.error).toBeUndefined()
    expect(first.result).toEqual([
      { name: 'a', total: 4 },
      { name: 'b', total: 2 },
    ])
    expect(first.files.map(({ path }) => path)).toEqual(['out.csv', 'out.parquet'])
    const parquet = first.files.find(({ path }) => path === 'out.parquet')
    const second = await sql(`select max(total) as most from 'given.parquet'`, {
      files: { 'given.parquet': parquet?.bytes ?? '' },
    })
    expect(second.result).toEqual([{ most: 4 }])
  })

  test('[process.20] a read-only run reads, and writes nothing', async () => {
    const told = await sql(`copy (select 1) to 'out.csv'`, { readOnly: true })
    expect(told).toMatchObject({ status: 'failed', files: [] })
    expect((await sql(`select 1 as one`, { readOnly: true })).result).toEqual([{ one: 1 }])
  })
})

describe('mistakes', () => {
  test.each([
    ['select 1;\nselec 2', { kind: 'syntax', line: 2, column: 1 }],
    ['select 1,\n  nope\nfrom range(3)', { kind: 'runtime', line: 2, column: 3 }],
    [
      "-- fine\nselect 1;\n\nselect error('out of cheese')",
      { kind: 'runtime', line: 4, message: 'Invalid Input Error: out of cheese' },
    ],
    ["select * from 'none.csv'", { kind: 'runtime', line: 1, message: expect.stringContaining('none.csv') }],
  ])('[process.20] %j has its kind and place', async (code, error) => {
    expect((await sql(code)).error).toMatchObject(error)
  })

  test('[process.20] what came before a mistake was told', async () => {
    const told = await sql('select 1 as a; select nope')
    expect(told.displays).toHaveLength(1)
    expect(told.result).toBeUndefined()
  })
})

describe('bounds', () => {
  const outside = [
    '/etc/passwd',
    '../../etc/passwd',
    '/proc/self/environ',
    '/opt/coherex/sql/main.cjs',
    '/tmp/../etc/passwd',
    'file:///etc/passwd',
  ]
  test('[process.20] no file outside of the run can be read or written', async () => {
    const told = await Promise.all(outside.map((path) => sql(`select * from read_text('${path}')`)))
    expect(told.map(({ status, displays }, at) => [outside[at], status, displays])).toEqual(
      outside.map((path) => [path, 'failed', []]),
    )
    const written = await sql(`copy (select 1) to '/tmp/elsewhere.csv'`)
    expect(written.error?.kind).toBe('denied')
    expect((await sql(`attach '/tmp/other.db'`)).status).toBe('failed')
  })

  test('[process.20] the settings that say so cannot be changed, and no extension comes in', async () => {
    const attempts = [
      'set enable_external_access = true',
      "set allowed_directories = ['/']",
      'reset lock_configuration',
      "set memory_limit = '100GB'",
      'set autoinstall_known_extensions = true',
      'install httpfs; load httpfs',
      "load './x.duckdb_extension'",
    ]
    const files = { 'x.duckdb_extension': 'x' }
    const told = await Promise.all(attempts.map((code) => sql(code, { files })))
    expect(told.map(({ status }, at) => [attempts[at], status])).toEqual(attempts.map((code) => [code, 'failed']))
    expect((await sql("select * from 'https://example.org/x.csv'")).status).toBe('failed')
  })

  test('[process.20] a query past its memory or its time is ended, and the next one runs', async () => {
    const hoards = await sql('select list(repeat(range::text, 100)) as all from range(100000000)', {
      limits: { memoryMb: 256 },
    })
    expect(hoards.error?.kind).toBe('memory')
    const burns = await sql(
      'select count(*) from range(100000000) a, range(100000) b where hash(a.range, b.range) = 1',
      { limits: { timeoutMs: 2000 } },
    )
    expect(burns.error?.kind).toBe('timeout')
    expect((await sql('select 1 as one')).result).toEqual([{ one: 1 }])
  })
})
