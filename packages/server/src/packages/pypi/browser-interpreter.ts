import type { Interpreter } from './interpreter.ts'

/**
 * The Python of Pyodide 314, as uv knows it: of the platforms of browsers that uv names none is this one, so that it finds wheels without
 * machine code. One with machine code of another is left out by its name.
 */
export const browserInterpreter = (python: string): Interpreter => ({
  python,
  version: '3.14',
  packages: {},
  target: 'wasm32-pyodide2024',
})
