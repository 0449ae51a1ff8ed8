import * as Y from 'yjs'
import { RefusedUpdate } from './refused-update.ts'

/** Where an item belongs: in which root, and under which key of it. */
export interface Place {
  root: string
  key: string | null
}

/**
 * Finds where items of an update belong. Most say only what they stand beside, in the document or in the update itself.
 * What hangs in anything but a root is refused: workspaces have no nested types.
 */
export class PlaceFinder {
  readonly #doc: Y.Doc
  readonly #byClient = new Map<number, Y.Item[]>()
  readonly #found = new Map<Y.Item, Place>()
  readonly #rootNames = new Map<unknown, string>()

  constructor(doc: Y.Doc, structs: Y.Item[]) {
    this.#doc = doc
    for (const struct of structs) {
      const items = this.#byClient.get(struct.id.client)
      if (items) items.push(struct)
      else this.#byClient.set(struct.id.client, [struct])
    }
  }

  find(item: Y.Item): Place {
    const place = this.#follow(item)
    // one that stands between two places would belong to one of them by chance
    if (item.origin && item.rightOrigin) {
      const { root, key } = this.#beside(item.rightOrigin)
      if (root !== place.root || key !== place.key) throw new RefusedUpdate('An item of the update is in two places')
    }
    return place
  }

  #beside(id: Y.ID): Place {
    return this.#isInDocument(id) ? this.#inDocument(id) : this.#follow(this.#inUpdate(id))
  }

  #isInDocument(id: Y.ID): boolean {
    return id.clock < Y.getState(this.#doc.store, id.client)
  }

  #follow(item: Y.Item): Place {
    // a loop, because a chain can be as long as the update
    const chain = new Set<Y.Item>()
    let place: Place | undefined
    for (let one = item; !place;) {
      place = this.#found.get(one) ?? ownPlace(one)
      if (place) break
      if (chain.has(one)) throw new RefusedUpdate('The update goes in circles')
      chain.add(one)
      const beside = one.origin ?? one.rightOrigin
      if (!beside) throw new RefusedUpdate('An item of the update belongs nowhere')
      if (this.#isInDocument(beside)) place = this.#inDocument(beside)
      else one = this.#inUpdate(beside)
    }
    for (const one of [item, ...chain]) this.#found.set(one, place)
    return place
  }

  #inDocument(id: Y.ID): Place {
    const item: Y.Item | Y.GC = Y.getItem(this.#doc.store, id)
    if (!(item instanceof Y.Item)) throw new RefusedUpdate('An item of the update belongs to nothing that is here')
    const root = this.#rootName(item.parent)
    if (root === undefined) throw new RefusedUpdate('A workspace has files and nothing else')
    return { root, key: item.parentSub }
  }

  #inUpdate(id: Y.ID): Y.Item {
    const items = this.#byClient.get(id.client) ?? []
    let [low, high] = [0, items.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const item = items[middle]
      if (!item) break
      if (id.clock < item.id.clock) high = middle - 1
      else if (id.clock >= item.id.clock + item.length) low = middle + 1
      else return item
    }
    throw new RefusedUpdate('The update builds on updates that are not here')
  }

  #rootName(type: unknown): string | undefined {
    if (this.#rootNames.size === 0) for (const [name, root] of this.#doc.share) this.#rootNames.set(root, name)
    return this.#rootNames.get(type)
  }
}

function ownPlace({ parent, parentSub }: Y.Item): Place | undefined {
  // as it is read from an update, before it is integrated
  const named = parent as unknown
  if (named === null || named === undefined) return undefined
  if (typeof named !== 'string') throw new RefusedUpdate('A workspace has files and nothing else')
  return { root: named, key: parentSub }
}
