import { folderOf, type LiveTexts } from '../../live/live-texts.ts'
import { createModel } from '../create-model.ts'
import type { monaco } from '../monaco.ts'
import { TextBinding } from './bind-text.ts'
import { watchProblems } from './watch-problems.ts'

/** A file as editors show it: all that show it share it. */
export interface LiveModel {
  path: string
  textId: string
  model: monaco.editor.ITextModel
  binding: TextBinding
}

interface Held extends LiveModel {
  holders: number
}

// what the language service reads of files that are not open
const isProgram = /\.(?:[cm]?[jt]sx?|pyi?)$/i
const mostPrograms = 300
const longestProgram = 300_000

const all = new WeakMap<LiveTexts, LiveModels>()

/** The models of texts, one for each that is open and for each program that others may import. */
export function liveModels(texts: LiveTexts): LiveModels {
  const models = all.get(texts) ?? new LiveModels(texts)
  all.set(texts, models)
  return models
}

class LiveModels {
  readonly #texts: LiveTexts
  readonly #held = new Map<string, Held>()
  readonly #programs = new Set<string>()

  constructor(texts: LiveTexts) {
    this.#texts = texts
    this.#holdPrograms()
    texts.onFiles(() => this.#holdPrograms())
    const stopWatching = watchProblems(this.#folder)
    texts.doc.on('destroy', () => {
      stopWatching()
      this.#dispose()
    })
  }

  /** Undefined where there is no such text. It is to be released. */
  hold(path: string): LiveModel | undefined {
    const found = this.#texts.textAt(path)
    const held = this.#held.get(path)
    if (held && held.textId === found?.id && !held.model.isDisposed()) {
      held.holders++
      return held
    }
    if (!found) return undefined
    if (held) this.#end(held)
    const model = createModel(this.#folder, path, '')
    const isGone = () => this.#texts.pathOf(found.id) === undefined
    const made: Held = {
      ...{ path, textId: found.id, model, holders: 1 },
      binding: new TextBinding(found.text, model, { isGone }),
    }
    this.#held.set(path, made)
    return made
  }

  release(model: LiveModel): void {
    const held = this.#held.get(model.path)
    if (held !== model) return
    held.holders--
    if (held.holders <= 0) this.#end(held)
  }

  get #folder(): string {
    return folderOf(this.#texts)
  }

  #end(held: Held): void {
    held.binding.dispose()
    held.model.dispose()
    this.#held.delete(held.path)
  }

  /** Programs are held as long as they are there, so that imports of them are known. */
  #holdPrograms(): void {
    const paths = new Set(
      this.#texts
        .paths()
        .filter((path) => isProgram.test(path))
        .slice(0, mostPrograms),
    )
    for (const path of this.#programs) {
      if (paths.has(path)) continue
      this.#programs.delete(path)
      const held = this.#held.get(path)
      if (held) this.release(held)
    }
    for (const path of paths) {
      const length = this.#texts.textAt(path)?.text.length ?? 0
      if (this.#programs.has(path) || length > longestProgram) continue
      if (this.hold(path)) this.#programs.add(path)
    }
  }

  #dispose(): void {
    for (const held of this.#held.values()) this.#end(held)
  }
}
