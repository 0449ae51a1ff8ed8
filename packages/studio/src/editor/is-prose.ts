/** Whether long lines are broken: those of prose are, those of code are not. */
export const isProse = (path: string) => /\.(?:md|markdown|txt|ya?ml)$/i.test(path)
