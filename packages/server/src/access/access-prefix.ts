/** How access tokens of OAuth clients begin: they are told from keys by that. */
export const accessPrefix = 'cht_'

/** What a key that stands for a grant shows as its beginning. */
export const grantedStart = 'OAuth'
