import type { Reporter, TestModule } from "vitest/node";

/** Tells which files of tests have not ended when vitest is terminated because it takes too long. */
export function hangingTests(): Reporter {
  const running = new Set<string>();
  process.once("SIGTERM", () => {
    process.stderr.write(`These tests have not ended:\n  ${[...running].sort().join("\n  ")}\n`);
    process.exit(1);
  });
  return {
    onTestModuleQueued: ({ moduleId }: TestModule) => void running.add(moduleId),
    onTestModuleEnd: ({ moduleId }: TestModule) => void running.delete(moduleId),
  };
}
