import { createClient, createOpener } from '@coherex/contract'

/** Calls a route of the server this page came from; the session cookie says who asks. */
export const call = createClient({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

/** The same for streams, which take their time. */
export const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })
