// Runs in guests too, whose program may patch every method: these are taken before it runs, and called without looking them up.

const { call } = Function.prototype

type Method = (this: never, ...args: never[]) => unknown
type Uncurried<Held extends Method> = (self: ThisParameterType<Held>, ...args: Parameters<Held>) => ReturnType<Held>

/** The method as a function of what it is called on. */
function uncurry<Held extends Method>(method: Held): Uncurried<Held> {
  return call.bind(method as never) as Uncurried<Held>
}

const mapSizeOf = Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get!
const setSizeOf = Object.getOwnPropertyDescriptor(Set.prototype, 'size')!.get!

type AnyMap = Map<unknown, unknown>
export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => unknown
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean
export const mapHas = uncurry(Map.prototype.has) as <K>(map: Map<K, unknown>, key: K) => boolean
export const mapForEach = uncurry(Map.prototype.forEach) as (
  map: AnyMap,
  visit: (value: unknown, key: unknown) => void,
) => void
export const mapSize = uncurry(mapSizeOf) as <K>(map: ReadonlyMap<K, unknown>) => number
export const setAdd = uncurry(Set.prototype.add) as <T>(set: Set<T>, item: T) => unknown
export const setForEach = uncurry(Set.prototype.forEach) as (set: Set<unknown>, visit: (item: unknown) => void) => void
export const setSize = uncurry(setSizeOf) as <T>(set: ReadonlySet<T>) => number
export const sliceText = uncurry(String.prototype.slice) as (text: string, from: number, to?: number) => string
