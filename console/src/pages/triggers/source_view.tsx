import { JsonView } from "#/parts/json_view.tsx";
import { words } from "#/words/words.ts";

type Plain = string | number | boolean;

function isPlain(value: unknown): value is Plain {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** A plain value, or a list of them, in one line; undefined for any other value. */
export function plainText(value: unknown): string | undefined {
  if (isPlain(value)) {
    return String(value);
  }
  return Array.isArray(value) && value.every(isPlain) ? value.join(", ") : undefined;
}

/** What a trigger listens to, by the names that its file has, too. */
export function SourceView({ source }: { source: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
      {Object.entries(source).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-xs leading-5 text-muted">{name}</dt>
          <dd className="min-w-0 font-mono text-xs leading-5 break-words">
            {plainText(value) ?? <JsonView value={value} label={`${words.triggers.source}: ${name}`} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
