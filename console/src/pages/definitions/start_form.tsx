import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { result } from "#/api/client.ts";
import type { Target } from "#/api/types.ts";
import { FieldProblems, problemsBelow } from "#/pages/definitions/form/field_problems.ts";
import { fieldKind, initialValue, type Schema } from "#/pages/definitions/form/schema.ts";
import { ObjectFields } from "#/pages/definitions/form/schema_field.tsx";
import { Button } from "#/parts/button.tsx";
import { inputOptions } from "#/parts/command.ts";
import { CopyButton } from "#/parts/copy_button.tsx";
import { submitByKey } from "#/parts/modal.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
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
  const [input, setInput] = useState<Record<string, unknown>>(
    () => given ?? ((schema === undefined ? {} : (initialValue(schema, schema) ?? {})) as Record<string, unknown>),
  );
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState("");
  const [filled, setFilled] = useState(0);
  const last = useLastInput(path);
  const submitting = useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      result(workspace.api.POST("/runs", { body: { target, input: body as Record<string, never> } })),
    onSuccess: (run) => void navigate({ to: "/runs/$id", params: { id: run.id } }),
  });
  const fields = schema === undefined ? undefined : fieldKind(schema);
  const isJson = text !== undefined || fields?.kind !== "object";
  const shownText = text ?? JSON.stringify(input, null, 2);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = isJson ? readObject(shownText) : input;
    setProblem(typeof read === "string" ? read : "");
    if (typeof read !== "string") {
      submitting.mutate(read);
    }
  };
  const toggle = () => {
    if (text === undefined) {
      setText(JSON.stringify(input, null, 2));
      return;
    }
    const read = readObject(text);
    setProblem(typeof read === "string" ? read : "");
    if (typeof read !== "string") {
      setInput(read);
      setText(undefined);
    }
  };
  const fill = (lastInput: Record<string, unknown>) => {
    setInput(lastInput);
    setFilled((before) => before + 1);
    setText(isJson ? JSON.stringify(lastInput, null, 2) : undefined);
  };
  return (
    <form
      onSubmit={submit}
      noValidate
      onKeyDown={submitByKey}
      className="max-w-3xl space-y-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="flex-1 font-semibold">{words.start.title}</h2>
        {last !== undefined && <Button onClick={() => fill(last)}>{words.start.fromLast}</Button>}
        {fields?.kind === "object" && (
          <Button onClick={toggle}>{text === undefined ? words.start.asJson : words.start.asForm}</Button>
        )}
        <CopyButton text={linkTo(input)} label={words.start.link} />
      </div>
      {schema === undefined && <p className="text-sm text-muted">{words.start.noSchema}</p>}
      {isJson ? (
        <textarea
          aria-label={words.actions.input}
          rows={Math.min(20, Math.max(4, shownText.split("\n").length))}
          spellCheck={false}
          className="w-full rounded-md border border-line bg-ground p-2.5 font-mono text-xs"
          value={shownText}
          onChange={(event) => setText(event.target.value)}
        />
      ) : fields.properties.length === 0 && fields.others === undefined ? (
        <p className="text-sm text-muted">{words.start.noInputs}</p>
      ) : (
        <FieldProblems value={problemsBelow(submitting.error, "input")}>
          <ObjectFields
            key={filled}
            name=""
            path=""
            schema={schema ?? {}}
            root={schema ?? {}}
            isRequired
            properties={fields.properties}
            required={fields.required}
            others={fields.others}
            value={input}
            onChange={(value) => setInput(value as Record<string, unknown>)}
          />
        </FieldProblems>
      )}
      {problem !== "" && (
        <p role="alert" className="text-sm text-failed">
          {problem}
        </p>
      )}
      {submitting.error !== null && <ProblemView error={submitting.error} />}
      <ActionCommandLine args={["run", path, "--detach", ...inputOptions(input)]} />
      {may ? (
        <Button type="submit" kind="primary" disabled={submitting.isPending}>
          {words.start.submit}
        </Button>
      ) : (
        <p className="text-sm text-muted">{words.start.mayNot}</p>
      )}
    </form>
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

/** Reads a JSON object, or says why the text is none. */
function readObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : words.actions.notObject;
  } catch (error) {
    return words.actions.wrongJson(error instanceof Error ? error.message : String(error));
  }
}

/** The address of this form with this input. */
function linkTo(input: Record<string, unknown>): string {
  const url = new URL(document.location.href);
  url.searchParams.set("input", JSON.stringify(input));
  return url.href;
}
