const nearPx = 48

/** What scrolls, as an element tells it. */
export interface Scroller {
  scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

/** Keeps the end of what grows in sight, until its reader goes up. */
export class EndInSight {
  isFollowing = true
  #lastTop = 0

  /** Sees whether the reader went up, or came back to the end. */
  look({ scrollTop, scrollHeight, clientHeight }: Scroller): void {
    // only a reader goes up: what grows leaves the place as it is, and the end further away
    if (scrollHeight - scrollTop - clientHeight < nearPx) this.isFollowing = true
    else if (scrollTop < this.#lastTop - 1) this.isFollowing = false
    this.#lastTop = scrollTop
  }

  /** To be called when it has grown. Looks first: the event of a scroll comes later than the scroll. */
  keep(scroller: Scroller): void {
    if (!this.isFollowing) return
    this.look(scroller)
    if (this.isFollowing) this.go(scroller)
  }

  /** Goes to the end wherever the reader is. */
  go(scroller: Scroller): void {
    this.isFollowing = true
    scroller.scrollTop = scroller.scrollHeight
    // further up than what was set, and its event is still to come
    this.#lastTop = scroller.scrollTop
  }
}
