/**
 * What the server is started with where the operator says nothing else. The C library gives each thread that allocates an arena of its own,
 * and none of them gives back what was freed: 25 MB after a minute of runs.
 *
 * Further Python packages are fetched in the background, so that whoever first asks for one does not wait.
 */
export const serverEnvironment = {
  MALLOC_ARENA_MAX: '2',
  COHEREX_PACKAGES_AHEAD: 'scipy,scikit-learn,polars,pyarrow,duckdb,sympy,seaborn,altair,plotly,statsmodels',
}
