import { reference } from "virtual:api-reference";
import { Link, useParams } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { findOperations, searchEntries } from "#/pages/docs/find_operations.ts";
import { Method, OperationView } from "#/pages/docs/operation_view.tsx";
import { Prose } from "#/pages/docs/prose.tsx";
import type { Operation } from "#/pages/docs/reference.ts";
import { FilterInput } from "#/parts/filter_input.tsx";
import { Page } from "#/parts/page.tsx";
import { useCurrentInView } from "#/parts/use_current_in_view.ts";
import { root } from "#/root.ts";
import { words } from "#/words/words.ts";

const entries = searchEntries(reference);

/** The reference of the REST API: all operations with a search over them, and the one that the address names. */
export function DocsPage() {
  const { operation: id } = useParams({ strict: false });
  const operation = reference.operations.find((one) => one.id === id);
  return (
    <Page
      title={words.docs.title}
      actions={
        <a href={`${root}api/v1/openapi.yaml`} className="text-sm text-accent hover:underline">
          {words.docs.document}
        </a>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(18rem,2fr)_3fr]">
        <Operations selected={operation?.id} isAside={id !== undefined} />
        <div className="min-w-0 space-y-4">
          {id === undefined ? (
            <div className="space-y-3 text-sm text-muted max-lg:hidden">
              <Prose text={reference.description} />
            </div>
          ) : (
            <>
              <Link to="/docs" className="text-sm text-accent hover:underline lg:hidden">
                {words.docs.all}
              </Link>
              {operation === undefined ? (
                <p>{words.docs.unknown(id)}</p>
              ) : (
                <OperationView key={operation.id} operation={operation} schemas={reference.schemas} />
              )}
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

/**
 * All operations that a question finds, by their tags.
 *
 * @param isAside whether an operation is shown, beside which a narrow page has no room for the list
 */
function Operations({ selected, isAside }: { selected: string | undefined; isAside: boolean }) {
  const [question, setQuestion] = useState("");
  const asked = useDeferredValue(question);
  const found = useMemo(() => findOperations(entries, asked), [asked]);
  const tags = useMemo(() => byTag(found), [found]);
  const list = useCurrentInView("");
  return (
    <div className={`min-w-0 space-y-3 lg:sticky lg:top-6 ${isAside ? "max-lg:hidden" : ""}`}>
      <FilterInput label={words.docs.search} text={question} onChange={setQuestion} />
      <p role="status" className="text-xs text-muted">
        {words.docs.found(found.length)}
      </p>
      <nav
        ref={list}
        aria-label={words.docs.operations}
        className="space-y-4 lg:max-h-[calc(100vh-11rem)] lg:overflow-y-auto"
      >
        {tags.map(([tag, operations]) => (
          <section key={tag} aria-label={tag}>
            <h2 className="mb-1 text-sm font-semibold">{tag}</h2>
            <ul className="overflow-hidden rounded-lg border border-line bg-surface">
              {operations.map((operation) => (
                <li key={operation.id} className="border-b border-line last:border-b-0">
                  <Link
                    to="/docs/$operation"
                    params={{ operation: operation.id }}
                    resetScroll={false}
                    data-entry
                    aria-current={operation.id === selected ? "page" : undefined}
                    className={`flex items-start gap-2 px-2 py-1.5 text-sm ${operation.id === selected ? "bg-accent-soft" : "hover:bg-raised"}`}
                  >
                    <Method method={operation.method} />
                    <span className="min-w-0 flex-1">
                      <span className="block break-words">{operation.summary}</span>
                      <code className="block font-mono text-xs break-all text-muted">{operation.path}</code>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}

function byTag(operations: readonly Operation[]): readonly (readonly [string, readonly Operation[]])[] {
  const tags = new Map<string, Operation[]>();
  for (const operation of operations) {
    tags.set(operation.tag, [...(tags.get(operation.tag) ?? []), operation]);
  }
  return [...tags];
}
