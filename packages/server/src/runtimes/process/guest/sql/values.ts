import {
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBArrayValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * A value of the database as JSON: whole numbers past 2^53, and decimals that JSON's readers would round, are digits; NaN and infinities are null; bytes are base64; dates, times and the rest are as SQL writes them.
 */
export function toJson(value: DuckDBValue): Json {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString()
    case 'object':
      return value === null ? null : objectToJson(value)
    default:
      return String(value)
  }
}

function objectToJson(value: object): Json {
  if (value instanceof DuckDBDecimalValue) return decimalToJson(value.toString())
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toJson)
  if (value instanceof DuckDBStructValue) return fromEntries(Object.entries(value.entries))
  if (value instanceof DuckDBMapValue) return mapToJson(value)
  if (value instanceof DuckDBUnionValue) return toJson(value.value)
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64')
  return String(value)
}

/** A number where that reads back as the same digits; a float has room for fifteen. */
function decimalToJson(digits: string): Json {
  const plain = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  return String(Number(digits)) === plain ? Number(digits) : digits
}

function mapToJson({ entries }: DuckDBMapValue): Json {
  if (entries.every(({ key }) => typeof key === 'string')) {
    return fromEntries(entries.map(({ key, value }) => [String(key), value]))
  }
  return entries.map(({ key, value }) => [toJson(key), toJson(value)])
}

// entries and not assignment: "__proto__" is a name like any other
function fromEntries(entries: (readonly [string, DuckDBValue])[]): Json {
  return Object.fromEntries(entries.map(([name, value]) => [name, toJson(value)]))
}

/** A value as a cell of a table shows it. */
export function toText(value: DuckDBValue): string {
  if (value === null) return 'NULL'
  if (value instanceof DuckDBDecimalValue || value instanceof DuckDBIntervalValue) return value.toString()
  if (value instanceof DuckDBBlobValue) return value.toString()
  if (typeof value === 'object') return JSON.stringify(toJson(value))
  return String(value)
}
