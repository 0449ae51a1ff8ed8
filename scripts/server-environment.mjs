/**
 * What the server is started with where the operator says nothing else. The C library gives each thread that allocates an arena of its own,
 * and none of them gives back what was freed: 25 MB after a minute of runs.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2' }
