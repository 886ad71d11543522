import { useNavigate } from "@tanstack/react-router";
import { FormButton } from "#/forms/form_button.tsx";
import { scheduleTarget } from "#/pages/schedules/schedule_form.ts";
import { useWorkspace } from "#/shell/workspace.ts";

/** Puts a flow or script on a schedule, and shows it. */
export function ScheduleButton({ kind, path }: { kind: "flow" | "script"; path: string }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const show = (schedule: string) => void navigate({ to: "/schedules/$", params: { _splat: schedule } });
  return <FormButton action={scheduleTarget(workspace, kind, path, show)} onDone={() => undefined} />;
}
