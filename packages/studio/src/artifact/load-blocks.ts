/** What blocks need comes in a second step: the first load names this file alone, and not all that they are made of. */
export const loadBlocks = async () => ({ default: (await import('./message-blocks.tsx')).MessageBlocks })
export const loadSaidBlocks = async () => ({ default: (await import('./message-blocks.tsx')).SaidBlocks })
