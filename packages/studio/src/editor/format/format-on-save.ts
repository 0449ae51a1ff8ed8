import { readStored, writeStored } from '../../ui/state/stored.ts'

const key = 'editor.format-on-save'

/** Whether Ctrl-S formats: of this browser, and off unless chosen. */
export const formatsOnSave = () => readStored(key) === 'on'

export function setFormatOnSave(on: boolean): void {
  writeStored(key, on ? 'on' : undefined)
}
