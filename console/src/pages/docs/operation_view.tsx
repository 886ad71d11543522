import type { ReactNode } from "react";
import { InlineProse, Prose } from "#/pages/docs/prose.tsx";
import type { ApiReference, Content, Operation, Parameter } from "#/pages/docs/reference.ts";
import { curlCommand } from "#/pages/docs/sample.ts";
import { SchemaView, Type, Values } from "#/pages/docs/schema_view.tsx";
import { CommandLine } from "#/parts/copy_button.tsx";
import { JsonView } from "#/parts/json_view.tsx";
import { root } from "#/root.ts";
import { words } from "#/words/words.ts";

const METHOD_TONES: Readonly<Record<string, string>> = {
  GET: "bg-running-soft text-running",
  POST: "bg-succeeded-soft text-succeeded",
  DELETE: "bg-failed-soft text-failed",
};

export function Method({ method }: { method: string }) {
  return (
    <span
      className={`inline-block w-14 shrink-0 rounded py-0.5 text-center font-mono text-[11px] font-semibold ${METHOD_TONES[method] ?? "bg-waiting-soft text-waiting"}`}
    >
      {method}
    </span>
  );
}

interface Props {
  readonly operation: Operation;
  readonly schemas: ApiReference["schemas"];
}

/** An operation of the API: what it does, what it takes, what it answers, and how to call it. */
export function OperationView({ operation, schemas }: Props) {
  const { method, path, summary, description, parameters, bodies, answers } = operation;
  const server = `${document.location.origin}${root}`;
  const canOpen = method === "GET" && !parameters.some(({ required }) => required);
  return (
    <article aria-label={summary} className="min-w-0 space-y-4">
      <div className="space-y-2">
        <h2 className="text-lg font-semibold break-words">{summary}</h2>
        <p className="flex items-baseline gap-2">
          <Method method={method} />
          <code className="min-w-0 font-mono text-sm break-all">{path}</code>
        </p>
        {description !== "" && (
          <div className="space-y-2 text-sm">
            <Prose text={description} />
          </div>
        )}
      </div>
      <Part title={words.docs.call}>
        <CommandLine command={curlCommand(operation, schemas, server)} />
        {canOpen && (
          <a
            href={`${root.replace(/\/$/, "")}${path}`}
            target="_blank"
            rel="noreferrer"
            className="inline-block text-sm text-accent hover:underline"
          >
            {words.docs.open}
          </a>
        )}
      </Part>
      {parameters.length > 0 && (
        <Part title={words.docs.parameters}>
          <ul className="divide-y divide-line rounded-md border border-line text-sm">
            {parameters.map((parameter) => (
              <ParameterRow key={`${parameter.in} ${parameter.name}`} parameter={parameter} />
            ))}
          </ul>
        </Part>
      )}
      {bodies.map((body) => (
        <Part key={body.type} title={`${words.docs.body} · ${body.type}`}>
          <ContentView content={body} schemas={schemas} />
        </Part>
      ))}
      {answers.map(({ status, description: about, contents }) => (
        <Part key={status} title={`${words.docs.answer} ${status === "default" ? words.docs.refused : status}`}>
          {about !== "" && (
            <p className="text-sm break-words text-muted">
              <InlineProse text={about} />
            </p>
          )}
          {contents.map((content) => (
            <ContentView key={content.type} content={content} schemas={schemas} />
          ))}
        </Part>
      ))}
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 space-y-2">
      <h3 className="text-sm font-semibold break-words">{title}</h3>
      {children}
    </section>
  );
}

function ParameterRow({ parameter }: { parameter: Parameter }) {
  const { name, in: place, required, description, schema, example } = parameter;
  const values = schema.enum ?? schema.items?.enum;
  return (
    <li className="space-y-1 px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono font-semibold break-all">{name}</code>
        <span className="text-xs text-muted">{words.docs.places[place]}</span>
        <Type schema={schema} />
        {required && <span className="text-xs text-waiting">{words.docs.required}</span>}
      </p>
      {description !== "" && (
        <p className="break-words text-muted">
          <InlineProse text={description} />
        </p>
      )}
      {values !== undefined && <Values values={values} />}
      {example !== undefined && (
        <p className="text-xs break-all text-muted">
          {words.docs.example} <code className="font-mono">{JSON.stringify(example)}</code>
        </p>
      )}
    </li>
  );
}

function ContentView({ content, schemas }: { content: Content; schemas: ApiReference["schemas"] }) {
  const { type, schema, example } = content;
  return (
    <>
      {schema !== undefined && <SchemaView schema={schema} schemas={schemas} />}
      {example !== undefined && (
        <details>
          <summary className="text-xs text-accent">{words.docs.example}</summary>
          <div className="mt-1.5">
            {typeof example === "string" ? (
              <pre className="overflow-auto rounded-md border border-line p-3 font-mono text-xs">{example}</pre>
            ) : (
              <JsonView value={example} label={`${words.docs.example} ${type}`} />
            )}
          </div>
        </details>
      )}
    </>
  );
}
