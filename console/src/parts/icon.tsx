const PATHS = {
  queued: "M8 4.5V8l2.5 1.5M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z",
  running: "M5.5 3.5v9l7-4.5-7-4.5Z",
  succeeded: "M3 8.5 6.5 12 13 4.5",
  failed: "M4 4l8 8M12 4l-8 8",
  canceled: "M3.8 3.8l8.4 8.4M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z",
  skipped: "M3 4l5 4-5 4V4ZM12.5 4v8",
  paused: "M5.5 3.5v9M10.5 3.5v9",
  waiting: "M5.5 7.5V4.8a2.5 2.5 0 0 1 5 0v2.7M4 7.5h8v6H4v-6Z",
  home: "M2.5 7.5 8 3l5.5 4.5M4 7v6.5h8V7",
  runs: "M2.5 4h8M2.5 8h11M2.5 12h6",
  flows: "M3 3.5h4v3H3v-3ZM9 9.5h4v3H9v-3ZM5 6.5V11h4",
  scripts: "M6 4 2.5 8 6 12M10 4l3.5 4-3.5 4",
  schedules: "M3 3.5h10v10H3v-10ZM3 6.5h10M5.5 2v3M10.5 2v3M6 9h1M9 9h1M6 11h1",
  approvals: "M2.5 3h11v7.5h-6L4.5 13v-2.5h-2V3ZM5.5 6.8l1.8 1.8 3.4-3.4",
  triggers: "M9 2 3.5 9H8l-1 5 5.5-7H8l1-5Z",
  alerts: "M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3L4 11ZM6.8 14.5h2.4",
  settings: "M2.5 4.5h6M11.5 4.5h2M10 3v3M2.5 11.5h2M7.5 11.5h6M6 10v3",
  workers: "M3 3h10v4H3V3ZM3 9h10v4H3V9ZM5 5h1M5 11h1",
  queues: "M2.5 8h2.5M6.5 5.5v5M9.5 5.5v5M12.5 5.5v5M3.5 6.5 5 8 3.5 9.5",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5l3 3",
  keyboard: "M2 4.5h12v7H2v-7ZM4.5 7h1M7.5 7h1M10.5 7h1M5 9.5h6",
  theme: "M8 2a6 6 0 1 0 0 12V2Z",
  language: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12",
  copy: "M5.5 5.5h7v8h-7v-8ZM3.5 10.5v-8h7",
  chevron: "M6 3.5 10.5 8 6 12.5",
  down: "M8 3v10M4 9l4 4 4-4",
  close: "M4 4l8 8M12 4l-8 8",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  api: "M5 3C3 3 4.5 7.5 2.5 8c2 .5.5 5 2.5 5M11 3c2 0 .5 4.5 2.5 5-2 .5-.5 5-2.5 5",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing of 16 by 16 pixels in the color of the text, hidden from readers: a word stands beside it. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
