/**
 * What a guest printed, made safe for a terminal. Line ends, tabs and colours stay; every other control character is shown as
 * a sign of its own, so that no output moves the cursor, retitles the window, writes to the clipboard or turns writing around.
 */
export interface GuestText {
  write(text: string): string
  /** What was held back because its end had not come, and a reset when colours were used. */
  end(): string
}

const colour = String.raw`\u001b\[[\d;:]{0,32}m`
// C0 without tab and line end, delete, C1, and the marks that turn writing around
const controls = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`
const special = new RegExp(String.raw`${colour}|\r\n|${controls}`, 'g')
const unfinished = /(?:\r|\u001b(?:\[[\d;:]{0,32})?)$/
const colours = new RegExp(colour)

export function createGuestText(): GuestText {
  let held = ''
  let coloured = false
  return {
    write(text) {
      const whole = held + text
      const end = unfinished.exec(whole)?.index ?? whole.length
      held = whole.slice(end)
      const shown = showControls(whole.slice(0, end))
      coloured ||= colours.test(shown)
      return shown
    },
    end() {
      const rest = showControls(held) + (coloured ? '\u001b[0m' : '')
      held = ''
      coloured = false
      return rest
    },
  }
}

/** A text of others on the terminal, whole. */
export function showControls(text: string): string {
  return text.replace(special, (found) => {
    if (found === '\r\n') return '\n'
    return found.length > 1 ? found : toSign(found.charCodeAt(0))
  })
}

function toSign(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
