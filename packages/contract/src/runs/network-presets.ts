/** Allow-lists people ask for by name. Data, so that a form can show what a name stands for. */
export const networkPresets = {
  github: {
    label: 'GitHub',
    allow: [
      'https://github.com/',
      'https://api.github.com/',
      'https://raw.githubusercontent.com/',
      'https://objects.githubusercontent.com/',
      'https://codeload.github.com/',
      'https://gist.githubusercontent.com/',
    ],
  },
  npm: { label: 'npm registry', allow: ['https://registry.npmjs.org/'] },
  jsdelivr: { label: 'jsDelivr', allow: ['https://cdn.jsdelivr.net/', 'https://data.jsdelivr.com/'] },
  unpkg: { label: 'unpkg', allow: ['https://unpkg.com/'] },
} as const satisfies Record<string, { label: string; allow: readonly string[] }>

export type NetworkPreset = keyof typeof networkPresets
