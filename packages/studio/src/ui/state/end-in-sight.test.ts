import { beforeEach, expect, test } from 'vitest'
import { EndInSight, type Scroller } from './end-in-sight.ts'

/** Scrolls as an element does: never past its end. */
class Frame implements Scroller {
  readonly clientHeight = 100
  scrollHeight = 500
  #top = 0

  get scrollTop() {
    return this.#top
  }

  set scrollTop(top: number) {
    this.#top = Math.min(top, this.scrollHeight - this.clientHeight)
  }
}

let frame: Frame
let end: EndInSight

beforeEach(() => {
  frame = new Frame()
  end = new EndInSight()
  end.keep(frame)
})

function grow() {
  frame.scrollHeight += 100
  end.keep(frame)
}

test('what grows is followed', () => {
  expect(frame.scrollTop).toBe(400)
  grow()
  grow()
  expect(frame.scrollTop).toBe(600)
})

test('a reader who went up is left there, also when it grows before the event of their scroll', () => {
  frame.scrollTop = 0
  grow()
  expect(frame.scrollTop).toBe(0)
  end.look(frame)
  grow()
  expect(frame.scrollTop).toBe(0)
})

test('a reader who comes back to the end is taken along again', () => {
  frame.scrollTop = 0
  grow()
  frame.scrollTop = 480
  end.look(frame)
  grow()
  expect(frame.scrollTop).toBe(600)
})

test('an event of its own scroll that comes when it has grown already is no reader', () => {
  frame.scrollHeight += 100
  end.look(frame)
  end.keep(frame)
  expect(frame.scrollTop).toBe(500)
})

test('what gets shorter is followed', () => {
  frame.scrollHeight = 200
  frame.scrollTop = 100
  // its size is watched, in both directions
  end.keep(frame)
  grow()
  expect(frame.scrollTop).toBe(200)
})

test('go() takes a reader along from anywhere', () => {
  frame.scrollTop = 0
  end.look(frame)
  end.go(frame)
  grow()
  expect(frame.scrollTop).toBe(500)
})
