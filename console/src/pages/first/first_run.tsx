import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { result } from "#/api/client.ts";
import { EXAMPLE, EXAMPLE_FLOW } from "#/pages/first/example.ts";
import { Button } from "#/parts/button.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** Deploys an example and runs it, with one click, for those who may deploy. */
export function FirstRun() {
  const { api } = useWorkspace();
  const navigate = useNavigate();
  const may = useMay("developer", { path: EXAMPLE_FLOW });
  const starting = useMutation({
    mutationFn: async () => {
      await result(api.POST("/flows", { body: { ...EXAMPLE, files: { ...EXAMPLE.files } } }));
      return result(api.POST("/runs", { body: { target: { flow: EXAMPLE_FLOW } } }));
    },
    onSuccess: (run) => void navigate({ to: "/runs/$id", params: { id: run.id } }),
  });
  if (!may) {
    return null;
  }
  return (
    <div className="space-y-2">
      <Button kind="primary" disabled={starting.isPending} onClick={() => starting.mutate()}>
        {words.first.run}
      </Button>
      <p className="text-xs">{words.first.help}</p>
      {starting.error !== null && <ProblemView error={starting.error} />}
    </div>
  );
}
