import { useCallback, useEffect, useRef, useState } from "react";

/** What somebody writes: a definition or script, and the files beside it by path. */
export interface Draft {
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
}

const SAVE_MILLIS = 500;

/**
 * A draft that survives a reload of the page: the browser keeps it until it is deployed or dropped.
 *
 * @param key names the draft among all of the browser
 * @param initial the draft if none is kept
 */
export function useDraft(key: string, initial: Draft) {
  const name = `millrace-draft ${key}`;
  const [draft, setDraft] = useState<Draft>(() => kept(name) ?? initial);
  const [isKept, setKept] = useState(() => kept(name) !== undefined);
  const unsaved = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const save = useCallback(() => {
    clearTimeout(timer.current);
    if (unsaved.current !== undefined) {
      localStorage.setItem(name, JSON.stringify(unsaved.current));
      unsaved.current = undefined;
    }
  }, [name]);
  const change = useCallback(
    (changed: Draft) => {
      setDraft(changed);
      setKept(true);
      unsaved.current = changed;
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_MILLIS);
    },
    [save],
  );
  const drop = useCallback(() => {
    unsaved.current = undefined;
    localStorage.removeItem(name);
    setKept(false);
  }, [name]);
  useEffect(() => save, [save]);
  return { draft, change, drop, isKept };
}

function kept(name: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof value === "object" && value !== null && "text" in value && "files" in value
      ? (value as Draft)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Name of the definition of a flow among its files. */
export const DEFINITION = "flow.yaml";

/** What the server takes to check, store or deploy the draft of a flow. */
export function sourceOf(draft: Draft) {
  return { definition: draft.text, file_name: DEFINITION, files: draft.files };
}
