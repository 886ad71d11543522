import { type ApiReference, type ApiSchema, nameOf, type Operation, resolved } from "#/pages/docs/reference.ts";

/** An operation with the texts in which a person looks for it. */
export interface SearchEntry {
  readonly operation: Operation;
  /** Method, address, name and summary. */
  readonly title: string;
  /** Descriptions, parameters and the fields of its bodies. */
  readonly rest: string;
}

/** The texts of all operations, made once. */
export function searchEntries({ operations, schemas }: ApiReference): readonly SearchEntry[] {
  return operations.map((operation) => {
    const { id, method, path, tag, summary, description, parameters, bodies, answers } = operation;
    const contents = [...bodies, ...answers.flatMap((answer) => answer.contents)];
    return {
      operation,
      title: `${method} ${path} ${id} ${summary} ${tag}`.toLowerCase(),
      rest: [
        description,
        ...parameters.map(({ name, description: about }) => `${name} ${about}`),
        ...contents.flatMap(({ schema }) => (schema === undefined ? [] : fieldsOf(schema, schemas))),
      ]
        .join(" ")
        .toLowerCase(),
    };
  });
}

/** Names of a schema and of its fields. */
function fieldsOf(schema: ApiSchema, schemas: ApiReference["schemas"]): readonly string[] {
  const { properties = {}, allOf = [], items } = resolved(schema, schemas);
  return [
    ...(schema.$ref === undefined ? [] : [nameOf(schema.$ref)]),
    ...Object.keys(properties),
    ...[...allOf, ...(items === undefined ? [] : [items])].flatMap((part) =>
      Object.keys(resolved(part, schemas).properties ?? {}),
    ),
  ];
}

/** The operations whose texts have all words of a question; those whose titles have them come first. */
export function findOperations(entries: readonly SearchEntry[], question: string): readonly Operation[] {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  const inTitle = (entry: SearchEntry) => words.every((word) => entry.title.includes(word));
  const found = entries.filter(({ title, rest }) => words.every((word) => title.includes(word) || rest.includes(word)));
  return [...found.filter(inTitle), ...found.filter((entry) => !inTitle(entry))].map(({ operation }) => operation);
}
