import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { initialTexts } from "#/forms/field.ts";
import { ActionCommand, type FormAction, FormButton } from "#/forms/form_button.tsx";
import { LoadedPages } from "#/parts/loaded.tsx";
import { Row, Rows, Section } from "#/parts/rows.tsx";
import { useMay } from "#/shell/session.ts";

interface Props<T> {
  readonly title: string;
  readonly help?: string;
  readonly empty: string;
  readonly query: UseInfiniteQueryResult<{ readonly pages: readonly { readonly items?: readonly T[] }[] }>;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ReactNode;
  /** What can be done with an entry. */
  readonly actions?: (item: T) => readonly FormAction[];
  /** What can be done with the list, such as to add an entry. */
  readonly add?: readonly FormAction[];
}

/** A list of the settings with what can be done with it and with each entry. */
export function Listing<T>({ title, help, empty, query, keyOf, row, actions, add = [] }: Props<T>) {
  const done = () => void query.refetch();
  return (
    <Section
      title={title}
      actions={add.map((action) => <FormButton key={action.label} action={action} onDone={done} />)}
    >
      {help !== undefined && <p className="max-w-3xl text-sm text-muted">{help}</p>}
      <LoadedPages query={query}>
        {(items) =>
          items.length === 0 ? (
            <div className="space-y-3 rounded-lg border border-line bg-surface p-4 text-sm text-muted">
              <p>{empty}</p>
              {add.slice(0, 1).map((action) => (
                <FirstCommand key={action.label} action={action} />
              ))}
            </div>
          ) : (
            <Rows label={title}>
              {items.map((item) => (
                <Row
                  key={keyOf(item)}
                  actions={actions?.(item).map((action) => (
                    <FormButton key={action.label} action={action} onDone={done} />
                  ))}
                >
                  {row(item)}
                </Row>
              ))}
            </Rows>
          )
        }
      </LoadedPages>
    </Section>
  );
}

/** How to add the first entry by a command, for those who may. */
function FirstCommand({ action }: { action: FormAction }) {
  const may = useMay(action.role, action.place);
  return may ? (
    <div className="max-w-xl">
      <ActionCommand action={action} texts={initialTexts(action.fields ?? [])} />
    </div>
  ) : null;
}
