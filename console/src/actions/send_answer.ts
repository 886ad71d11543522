import type { Answer, Verdict, WaitingStep } from "#/actions/answer_wait.ts";
import { result, type WorkspaceClient } from "#/api/client.ts";

/**
 * Answers a step that waits for people.
 *
 * @param key makes it harmless to send the answer twice
 */
export async function sendAnswer(
  api: WorkspaceClient,
  { run, step }: WaitingStep,
  verdict: Verdict,
  answer: Answer,
  key: string,
): Promise<void> {
  const params = { path: { id: run }, header: { "Idempotency-Key": key } };
  const body = { step, ...answer };
  switch (verdict) {
    case "approve":
      await result(api.POST("/runs/{id}:approve", { params, body }));
      break;
    case "deny":
      await result(api.POST("/runs/{id}:deny", { params, body }));
      break;
    case "complete":
      await result(api.POST("/runs/{id}:complete", { params, body }));
      break;
  }
}
