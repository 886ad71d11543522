/** The flow that newcomers run with one click: a loop, a step that fails once and is retried, and people who approve. */
export const EXAMPLE_FLOW = "examples/first-run";

export const EXAMPLE = {
  file_name: "flow.yaml",
  definition: `millrace: v1
name: ${EXAMPLE_FLOW}
description: Counts words, with a step that fails at first and is retried.
inputs:
  texts: {type: array, default: ["to be or not to be", "that is the question", "whether tis nobler"]}
steps:
  - id: count
    for_each: \${{ inputs.texts }}
    parallelism: 3
    script: count.py
    input: {text: "\${{ item }}"}
  - id: report
    script: report.py
    retry: {max_retries: 3, delay: 2s}
    input: {counts: "\${{ steps.count.result }}"}
output: \${{ steps.report.result }}
`,
  files: {
    "count.py": `import time


def main(text: str):
    words = text.split()
    for number, word in enumerate(words, 1):
        print(f"{number}: {word}")
        time.sleep(1)
    return len(words)
`,
    "report.py": `import random


def main(counts: list):
    if random.random() < 0.5:
        raise RuntimeError("Bad luck. This step fails every other time, and Millrace tries it again.")
    return {"texts": len(counts), "words": sum(counts)}
`,
  },
} as const;
