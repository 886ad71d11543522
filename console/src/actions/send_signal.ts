import { type Action, option, place } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { isEnded } from "#/parts/state_badge.tsx";
import { flowOf } from "#/parts/target.ts";
import { words } from "#/words/words.ts";

/** Sends a signal, which the run keeps until a step waits for it. */
export const sendSignal: Action = {
  id: "signal",
  label: words.actions.signal,
  role: "runner",
  isOffered: ({ run }) => !isEnded(run.state) && flowOf(run) !== undefined,
  fields: () => [
    { name: "name", label: words.actions.signalName, kind: "text", isRequired: true },
    { name: "payload", label: words.actions.payload, kind: "json" },
  ],
  act: async (subject, values, key) => {
    const payload = "payload" in values ? { payload: values.payload } : {};
    const body = { name: String(values.name ?? ""), ...payload };
    await result(subject.api.POST("/runs/{id}:signal", { params: place(subject, key), body }));
    return undefined;
  },
  command: ({ run }, texts) => ["runs", "signal", run.id, texts.name ?? "", ...option("--payload", texts.payload)],
};
