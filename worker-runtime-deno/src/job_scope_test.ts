import { JobScope } from "./job_scope.ts";
import { assertEquals } from "./testing/asserts.ts";

Deno.test("a job ends although a process of it has just ended by itself", () => {
  const scope = new JobScope("job-1");
  scope.processes.set({
    pid: 7,
    kill: () => {
      throw new TypeError("Child process has already terminated");
    },
  }, "sleep");
  assertEquals(scope.end(), "Stopped 1 process that the job had left behind: sleep (pid 7).\n");
});
