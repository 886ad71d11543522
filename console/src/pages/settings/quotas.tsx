import { useQuery } from "@tanstack/react-query";
import { result } from "#/api/client.ts";
import type { QuotaUse, Quotas as QuotaValues } from "#/api/types.ts";
import { type FormTexts, type FormValues, NUMBER } from "#/forms/field.ts";
import { type FormAction, FormButton } from "#/forms/form_button.tsx";
import { bytesText, countText } from "#/parts/amounts.ts";
import { Loaded } from "#/parts/loaded.tsx";
import { Row, Rows, Section } from "#/parts/rows.tsx";
import { type CurrentWorkspace, useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

const { settings } = words;
const REFRESH_MILLIS = 5_000;

/** The quotas with what is used of each, and the option of the command that sets it. */
const QUOTAS = [
  ["submits_per_second_max", "submits_per_second", "--submits-per-second", false],
  ["queued_jobs_max", "queued_jobs", "--queued-jobs", false],
  ["open_streams_max", "open_streams", "--open-streams", false],
  ["log_bytes_per_second_max", "log_bytes_per_second", "--log-bytes-per-second", true],
  ["payload_bytes_per_second_max", "payload_bytes_per_second", "--payload-bytes-per-second", true],
  ["blob_bytes_max", "blob_bytes", "--blob-bytes", true],
] as const satisfies readonly (readonly [keyof QuotaValues, keyof QuotaUse, string, boolean])[];

/** What the workspace may use, and what it uses. */
export function Quotas() {
  const workspace = useWorkspace();
  const quotas = useQuery({
    queryKey: [workspace.name, "settings", "quotas"],
    queryFn: () => result(workspace.api.GET("/quotas")),
    refetchInterval: REFRESH_MILLIS,
  });
  return (
    <Section
      title={settings.sections.quotas}
      actions={
        quotas.data !== undefined && (
          <FormButton action={set(workspace, quotas.data.quotas)} onDone={() => void quotas.refetch()} />
        )
      }
    >
      <p className="max-w-3xl text-sm text-muted">{settings.quotasHelp}</p>
      <Loaded query={quotas}>
        {(data) => (
          <Rows label={settings.sections.quotas}>
            {QUOTAS.map(([limit, use, , isBytes]) => {
              const most = data.quotas[limit] ?? 0;
              const used = data.use[use] ?? 0;
              const text = isBytes ? bytesText : countText;
              return (
                <Row key={limit}>
                  <span className="min-w-0 flex-1 basis-48">{settings.quotaNames[use]}</span>
                  <span className="tabular-nums">
                    {text(used)} {most > 0 ? settings.of(text(most)) : settings.unlimited}
                  </span>
                  {most > 0 && (
                    <meter
                      aria-label={settings.quotaNames[use]}
                      className="h-2 w-32"
                      min={0}
                      max={most}
                      value={Math.min(used, most)}
                    />
                  )}
                </Row>
              );
            })}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

function set({ api }: CurrentWorkspace, before: QuotaValues): FormAction {
  return {
    label: words.schedules.edit,
    title: settings.sections.quotas,
    help: settings.setQuotasHelp,
    role: "owner",
    fields: QUOTAS.map(([name, use]) => ({
      name,
      label: settings.quotaNames[use],
      kind: NUMBER,
      initial: before[name] ? String(before[name]) : "",
    })),
    act: async (values: FormValues) => {
      await result(api.PUT("/quotas", { body: values as QuotaValues }));
      return null;
    },
    command: (texts: FormTexts) => [
      "quotas",
      "set",
      ...QUOTAS.flatMap(([name, , option]) => (texts[name] ? [option, texts[name]] : [])),
    ],
  };
}
