import type { Draft } from "#/pages/editor/draft.ts";

/** A flow to start from: a script, people who approve, and a loop. */
export const NEW_FLOW: Draft = {
  text: `millrace: v1
name: examples/greetings
inputs:
  names: {type: array, default: [Ada, Grace]}
steps:
  - id: greet
    for_each: \${{ inputs.names }}
    parallelism: 2
    script: greet.py
    input: {name: "\${{ item }}"}
output: \${{ steps.greet.result }}
`,
  files: { "greet.py": 'def main(name: str):\n    print(f"Hello, {name}!")\n    return f"Hello, {name}!"\n' },
};

export const NEW_SCRIPT: Draft = {
  text: 'def main(name: str = "Ada"):\n    print(f"Hello, {name}!")\n    return {"greeting": f"Hello, {name}!"}\n',
  files: {},
};

/** The content with which a script begins that a flow names and that nobody has written. */
export function newFile(path: string): string {
  return path.endsWith(".ts") || path.endsWith(".js")
    ? "export function main() {\n  return null;\n}\n"
    : "def main():\n    return None\n";
}
