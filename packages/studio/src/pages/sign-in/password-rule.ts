/** The shortest password the server takes. */
export const shortestPassword = 10

export const passwordHint = `At least ${shortestPassword} characters. A few words in a row are good.`

/** What is wrong with a new password; undefined when nothing is. */
export function passwordProblem(password: string): string | undefined {
  return password.length < shortestPassword ? `Use at least ${shortestPassword} characters.` : undefined
}
