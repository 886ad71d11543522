import { useState } from "react";
import type { Schema } from "#/pages/definitions/form/schema.ts";
import { draftOf, type Input, type InputDraft, readDraft, toggled } from "#/pages/definitions/input_draft.ts";

/** An input while somebody edits it. */
export interface EditedInput {
  readonly schema: Schema | undefined;
  readonly draft: InputDraft;
  /** Why what somebody has written is no input; empty if nobody has asked, or it is one. */
  readonly problem: string;
  /** How often the fields were filled from elsewhere. */
  readonly fillings: number;
  /** What was last known to be an input. */
  readonly input: Input;
  readonly change: (draft: InputDraft) => void;
  readonly fill: (input: Input) => void;
  /** Goes to the other way of editing. */
  readonly toggle: () => void;
  /** Reads what was written; undefined if that is no input, which the fields then say. */
  readonly read: () => Input | undefined;
}

/** Keeps an input that a person edits, as a form if its schema makes one. */
export function useInputDraft(schema: Schema | undefined, initial: Input): EditedInput {
  const [draft, setDraft] = useState(() => draftOf(schema, initial));
  const [problem, setProblem] = useState("");
  const [fillings, setFillings] = useState(0);
  const read = readDraft(draft);
  const change = (next: InputDraft) => {
    setProblem("");
    setDraft(next);
  };
  return {
    schema,
    draft,
    problem,
    fillings,
    input: typeof read === "string" ? draft.input : read,
    change,
    fill: (other) => {
      change(
        draft.text === undefined ? draftOf(schema, other) : { input: other, text: JSON.stringify(other, null, 2) },
      );
      setFillings((before) => before + 1);
    },
    toggle: () => {
      const next = toggled(draft);
      setProblem(typeof next === "string" ? next : "");
      if (typeof next !== "string") {
        change(next);
      }
    },
    read: () => {
      setProblem(typeof read === "string" ? read : "");
      return typeof read === "string" ? undefined : read;
    },
  };
}
