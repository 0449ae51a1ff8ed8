// Runs on both sides of the shell's pipe.

export interface ShellLimits {
  timeoutMs: number
  outputBytes: number
}

/** What a command has that asks for nothing else; a shell with these is made before anybody needs it. */
export const usualShellLimits: ShellLimits = { timeoutMs: 10_000, outputBytes: 1_000_000 }

/** Host to shell. */
export type HostMessage =
  | {
      type: 'exec'
      id: number
      command: string
      cwd: string
      env: Record<string, string>
      stdin: string
      limits: ShellLimits
      network: boolean
    }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'answer'; id: number; error: { code: string; message: string } }

/** Shell to host. A call names a capability of the run: the shell holds nothing that the run does not hold. */
export type ShellMessage =
  | { type: 'ready' }
  | { type: 'call'; id: number; capability: 'FILES' | 'FETCH'; method: string; args: unknown[] }
  | { type: 'result'; id: number; stdout: string; stderr: string; exitCode: number; truncated: boolean }
