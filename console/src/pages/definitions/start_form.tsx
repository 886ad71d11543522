import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { result } from "#/api/client.ts";
import type { Target } from "#/api/types.ts";
import { initialValue, type Schema } from "#/pages/definitions/form/schema.ts";
import type { Input } from "#/pages/definitions/input_draft.ts";
import { InputForm } from "#/pages/definitions/input_form.tsx";
import { Button } from "#/parts/button.tsx";
import { inputOptions } from "#/parts/command.ts";
import { CopyButton } from "#/parts/copy_button.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly path: string;
  readonly target: Target;
  /** The schema of the input, if it is known. */
  readonly schema: Schema | undefined;
  /** The input in the address of the page. */
  readonly given: Readonly<Record<string, unknown>> | undefined;
}

/** Starts a run of a flow or script. Its form is made from the schema of the input; JSON works in any case. */
export function StartForm({ path, target, schema, given }: Props) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const may = useMay("flow_hash" in target || "script_hash" in target ? "developer" : "runner", { path });
  const last = useLastInput(path);
  const initial = given ?? ((schema === undefined ? {} : (initialValue(schema, schema) ?? {})) as Input);
  const send = async (input: Input) => {
    const body = { target, input: input as Record<string, never> };
    const run = await result(workspace.api.POST("/runs", { body }));
    void navigate({ to: "/runs/$id", params: { id: run.id } });
  };
  return (
    <InputForm
      className="max-w-3xl space-y-4 rounded-lg border border-line bg-surface p-4"
      schema={schema}
      initial={initial}
      send={send}
      header={(fill, input) => (
        <>
          <h2 className="flex-1 font-semibold max-sm:basis-full">{words.start.title}</h2>
          {last !== undefined && <Button onClick={() => fill(last)}>{words.start.fromLast}</Button>}
          <CopyButton text={linkTo(input)} label={words.start.link} />
        </>
      )}
      command={(input) => <ActionCommandLine args={["run", path, "--detach", ...inputOptions(input)]} />}
      footer={(isPending) =>
        may ? (
          <Button type="submit" kind="primary" disabled={isPending}>
            {words.start.submit}
          </Button>
        ) : (
          <p className="text-sm text-muted">{words.start.mayNot}</p>
        )
      }
    />
  );
}

/** The input of the newest run of a flow or script. */
function useLastInput(path: string): Record<string, unknown> | undefined {
  const { name, api } = useWorkspace();
  const { data } = useQuery({
    queryKey: [name, "last-input", path],
    queryFn: async () => {
      const runs = await result(api.GET("/runs", { params: { query: { name: path, page_size: 1 } } }));
      const id = runs.items[0]?.id;
      return id === undefined
        ? null
        : ((await result(api.GET("/runs/{id}", { params: { path: { id } } }))).input ?? null);
    },
  });
  return data ?? undefined;
}

/** The address of this form with this input. */
function linkTo(input: Input): string {
  const url = new URL(document.location.href);
  url.searchParams.set("input", JSON.stringify(input));
  return url.href;
}
