// what one turn of the server may spend on the calls of guests, whoever they are of
const turnMs = 4
const mostInTurn = 64

/** The calls of one run that wait. */
type Line = (() => void)[]

/** Runs whose calls wait, the one that is next first. */
const lines = new Set<Line>()
/** Since when calls have been taken without knowing that anybody else had a turn. */
let began = -Infinity
let hasBegun = false
let planned = 0

/**
 * Gives each call of a run its turn. As long as there is time it is taken at once; when all runs together have had theirs, the
 * others wait for the next turns of the server, the runs one after the other. Sixteen runs with fifty calls each would otherwise keep
 * everybody else waiting for eight hundred answers, again and again.
 */
export function createCallTicks(): <Answer>(act: () => Promise<Answer>) => Promise<Answer> {
  const line: Line = []
  return (act) => {
    if (lines.size === 0 && hasTime()) return act()
    return new Promise((resolve, reject) => {
      line.push(() => act().then(resolve, reject))
      lines.add(line)
      plan()
    })
  }
}

function hasTime(): boolean {
  return performance.now() - began < turnMs
}

// one call for each: what it leaves to promises is done, and its time known, before the next one begins
function plan(): void {
  if (planned >= mostInTurn) return
  planned++
  setImmediate(() => {
    planned--
    const isFirst = !hasBegun
    if (isFirst) beginTurn()
    if (isFirst || hasTime()) takeNext()
    if (lines.size > 0) plan()
  })
}

// known only where calls wait: to watch every turn would cost a call that comes alone a part of its time
function beginTurn(): void {
  began = performance.now()
  hasBegun = true
  setImmediate(() => (hasBegun = false))
}

function takeNext(): void {
  const [line] = lines
  if (!line) return
  lines.delete(line)
  const act = line.shift()
  if (line.length > 0) lines.add(line)
  act?.()
}
