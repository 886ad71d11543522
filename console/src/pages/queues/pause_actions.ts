import { result, shared } from "#/api/client.ts";
import { present, TEXT, textOf } from "#/forms/field.ts";
import type { FormAction } from "#/forms/form_button.tsx";
import { words } from "#/words/words.ts";

/** Pauses a tag, so that workers get no more of its jobs. */
export function pauseTag(tag: string): FormAction {
  return {
    label: words.queues.pause,
    title: words.queues.pauseTitle(tag),
    help: words.queues.pauseHelp,
    role: "owner",
    isShared: true,
    fields: [
      { name: "reason", label: words.queues.reason, help: words.queues.reasonHelp, kind: TEXT },
      { name: "length", label: words.queues.length, help: words.queues.lengthHelp, kind: TEXT, placeholder: "2h" },
    ],
    act: async (values) => {
      const body = {
        tag,
        ...present("reason", textOf(values, "reason")),
        ...present("length", textOf(values, "length")),
      };
      await result(shared.POST("/api/v1/queues:pause", { body }));
      return null;
    },
    command: ({ reason, length }) => [
      "queues",
      "pause",
      tag,
      ...(reason ? ["--reason", reason] : []),
      ...(length ? ["--for", length] : []),
    ],
  };
}

/** Resumes a tag that was paused. */
export function resumeTag(tag: string): FormAction {
  return {
    label: words.queues.resume,
    title: words.queues.resumeTitle(tag),
    help: words.queues.resumeHelp,
    role: "owner",
    isShared: true,
    kind: "primary",
    act: async () => {
      await result(shared.POST("/api/v1/queues:resume", { body: { tag } }));
      return null;
    },
    command: () => ["queues", "resume", tag],
  };
}
