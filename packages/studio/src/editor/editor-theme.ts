import { monaco } from './monaco.ts'

/** The editor in the studio's own colours, light or dark as the page is now. */
export function showEditorTheme(): void {
  const style = getComputedStyle(document.documentElement)
  const of = (token: string) => sixDigits(style.getPropertyValue(`--${token}`).trim())
  const dark = document.documentElement.dataset['theme'] === 'dark'
  const rule = (token: string, colour: string, fontStyle?: string) => ({
    token,
    foreground: of(colour).replace('#', ''),
    ...(fontStyle ? { fontStyle } : {}),
  })
  monaco.editor.defineTheme('coherex', {
    base: dark ? 'vs-dark' : 'vs',
    // its colours for single languages are not those of the page, nor all readable: SQL's strings are pure red
    inherit: false,
    rules: [
      rule('', 'text'),
      rule('comment', 'text-faint', 'italic'),
      rule('keyword', 'accent-text'),
      rule('tag', 'accent-text'),
      rule('predefined', 'accent-text'),
      rule('string', 'green'),
      rule('regexp', 'green'),
      rule('number', 'blue'),
      rule('constant', 'blue'),
      rule('key', 'blue'),
      rule('string.key', 'blue'),
      rule('type', 'amber'),
      rule('annotation', 'amber'),
      rule('attribute', 'amber'),
      rule('metatag', 'text-faint'),
      rule('invalid', 'red'),
      { token: 'emphasis', fontStyle: 'italic' },
      { token: 'strong', fontStyle: 'bold' },
      rule('variable', 'text'),
      rule('identifier', 'text'),
      rule('delimiter', 'text-muted'),
      rule('operator', 'text-muted'),
    ],
    colors: {
      'editor.background': of('surface'),
      'editor.foreground': of('text'),
      'editorGutter.background': of('surface'),
      // what is unused stays readable: a line below it says so instead of a fainter colour
      'editorUnnecessaryCode.opacity': '#000000ff',
      'editorUnnecessaryCode.border': of('text-faint'),
      'editorLineNumber.foreground': of('text-faint'),
      'editorLineNumber.dimmedForeground': of('text-faint'),
      'editorLineNumber.activeForeground': of('text'),
      'editor.lineHighlightBackground': of('sunken'),
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': `${of('accent')}40`,
      // the other places of a word: its letters stay as easy to read as elsewhere
      'editor.wordHighlightBackground': `${of('accent')}14`,
      'editor.wordHighlightStrongBackground': `${of('accent')}14`,
      'editor.wordHighlightTextBackground': `${of('accent')}14`,
      'editor.selectionHighlightBackground': `${of('accent')}14`,
      'editorCursor.foreground': of('accent-text'),
      'editorIndentGuide.background1': of('line'),
      'editorWidget.background': of('raised'),
      'editorWidget.border': of('line'),
      'editorHoverWidget.background': of('raised'),
      'editorHoverWidget.border': of('line'),
      'editorSuggestWidget.background': of('raised'),
      'editorSuggestWidget.border': of('line'),
      'editorSuggestWidget.selectedBackground': of('hover'),
      'editorSuggestWidget.selectedForeground': of('text'),
      'editorSuggestWidget.highlightForeground': of('accent-text'),
      'editorError.foreground': of('red'),
      'editorWarning.foreground': of('amber'),
      'scrollbar.shadow': '#00000000',
      focusBorder: of('focus'),
      'input.background': of('surface'),
      'menu.background': of('raised'),
    },
  })
  monaco.editor.setTheme('coherex')
}

/** The build writes #fff for #ffffff, which the editor does not read. */
function sixDigits(colour: string): string {
  return /^#\w{3}$/.test(colour) ? colour.replace(/\w/g, '$&$&') : colour
}

/** Keeps the editor's colours those of the page. Returns how to stop. */
export function followPageTheme(): () => void {
  showEditorTheme()
  const observer = new MutationObserver(showEditorTheme)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
