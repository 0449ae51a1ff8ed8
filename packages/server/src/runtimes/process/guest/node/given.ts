/** What the run was started with; filled before anything of the program is loaded. */
export const given: { capabilities: Record<string, string[]>; input: unknown } = { capabilities: {}, input: undefined }
