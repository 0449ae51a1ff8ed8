import { createContext } from 'react'

/** True where the newest definition stands beside the conversation, and messages need not show it again. */
export const DraftBesideContext = createContext(false)
