import { existsSync, readdirSync } from 'node:fs'
import { createFixture } from '../process/process-fixture.ts'
import { runtimeContract, type Samples, type Subject } from '../runtime.contract.ts'
import { findEngine } from './engines.ts'
import { createWasmRuntime } from './wasm-runtime.ts'

// what a program needs to hand back a text as its result
const tell = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void put(const char *text) { FILE *f = fopen(getenv("COHEREX_RESULT"), "w"); fputs(text, f); fclose(f); }
static void quote(const char *text, size_t size) {
  FILE *f = fopen(getenv("COHEREX_RESULT"), "w");
  fputc('"', f);
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '\\n') { fputs("\\\\n", f); continue; }
    if (text[i] == '"') fputc('\\\\', f);
    fputc(text[i], f);
  }
  fputc('"', f);
  fclose(f);
}
static size_t slurp(FILE *f, char **text) {
  size_t size = 0;
  *text = malloc(4 << 20);
  while (!feof(f)) size += fread(*text + size, 1, 65536, f);
  return size;
}
`

const c: Samples = {
  language: 'c',
  entry: 'main.c',
  result: `${tell}int main() { put("{\\"text\\": \\"zß水🍌\\", \\"list\\": [1, 2.5, null, true], \\"nested\\": {\\"a\\": {}}}"); }`,
  nothing: 'int main() {}',
  input: `${tell}int main() { char *text; size_t size = slurp(fopen(getenv("COHEREX_INPUT_FILE"), "r"), &text); text[size] = 0; put(text); }`,
  variable: `${tell}int main() { quote(getenv("GREETING"), strlen(getenv("GREETING"))); }`,
  stdin: `${tell}int main() { char *text; size_t size = slurp(stdin, &text); quote(text, size); }`,
  prints: `#include <stdio.h>\nint main() { printf("one\\n"); fflush(stdout); fprintf(stderr, "two\\n"); printf("three\\nzß水🍌\\n"); }`,
  printsThenWaits: `#include <stdio.h>\n#include <unistd.h>\nint main() { printf("ready\\n"); fflush(stdout); for (;;) sleep(1); }`,
  large: `${tell}int main() { char *text = malloc(1000000); memset(text, 'x', 1000000); quote(text, 1000000); }`,
  malformed: 'int main() {\n  int x = ;\n}',
  burns: 'int main() { for (volatile int i = 0;; i++); }',
  hoards: `#include <stdlib.h>
int main() { for (;;) { volatile char *more = malloc(1000000); if (!more) abort(); for (int i = 0; i < 1000000; i += 4096) more[i] = 1; } }`,
  floods: `${tell}int main() { char line[1001]; memset(line, 'x', 999); line[999] = '\\n'; line[1000] = 0; for (int i = 0; i < 5000; i++) fputs(line, stdout); put("\\"done\\""); }`,
  files: `#include <stdio.h>
#include <sys/stat.h>
int main() {
  mkdir("out", 0755);
  FILE *in = fopen("data/in.txt", "r"), *out = fopen("out/new.txt", "w");
  for (int c; (c = fgetc(in)) != EOF;) fputc(c >= 'a' && c <= 'z' ? c - 32 : c, out);
  fclose(out);
}`,
  leavesTraces: `${tell}int main() { FILE *f = fopen("/tmp/trace", "r"); put(f ? "true" : "false"); fclose(fopen("/tmp/trace", "w")); }`,
}

let opened = 0

async function open(): Promise<Subject> {
  const fixture = await createFixture(0x700c0000 + opened++ * 1000)
  const runtime = createWasmRuntime({ sandboxes: fixture.runtime, engine: findEngine() })
  return {
    runtime,
    async close() {
      await runtime.close()
      await fixture.close()
    },
    leftovers: () => (existsSync(fixture.stateDir) ? readdirSync(fixture.stateDir) : []),
  }
}

runtimeContract('[wasm.1] [wasm.5] C as a WASI module', c, open)
