import type { SkillFiles } from '@coherex/contract'

interface Starter {
  title: string
  description: string
  files: SkillFiles
}

/** What a new skill begins with, by the word in its address. */
export const starters: Record<string, Starter> = {
  blank: {
    title: 'Instructions',
    description: 'One file that says how a kind of work is done here',
    files: {
      'SKILL.md': `---
name: my-skill
description: What it does, and when an agent should use it.
---

# My skill

What to do, step by step.
`,
    },
  },
  script: {
    title: 'With a script',
    description: 'Instructions and a Python script that runs in the agent’s sandbox',
    files: {
      'SKILL.md': `---
name: count-words
description: Counts the words of text files. Use it when someone asks how long a text is.
---

# Counting words

Run the script with the files to count:

    python3 ~/.skills/count-words/scripts/count.py FILE...

Tell the person the numbers it prints.
`,
      'scripts/count.py': `import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        print(path, len(file.read().split()), "words")
`,
    },
  },
}
