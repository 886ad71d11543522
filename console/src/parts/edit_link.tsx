import { Link } from "@tanstack/react-router";
import { buttonStyle } from "#/parts/button.tsx";
import { useMay } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

/** A link to the editor of a flow or script, or of a new one if there is no path, for those who may deploy. */
export function EditLink({ kind, path = "" }: { kind: "flow" | "script"; path?: string }) {
  const may = useMay("developer", path === "" ? "anywhere" : { path });
  if (!may) {
    return null;
  }
  const isNew = path === "";
  const name = !isNew ? words.editor.edit : kind === "flow" ? words.editor.newFlow : words.editor.newScript;
  return (
    <Link to="/editor/$kind/$" params={{ kind, _splat: path }} className={buttonStyle(isNew ? "primary" : "plain")}>
      {name}
    </Link>
  );
}
