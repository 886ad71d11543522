/** The path under which the gateway serves the console, with a slash at its end: `/`, or `/millrace/` behind a proxy. */
export const root: string = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="millrace-root"]')?.content ?? "./",
  document.location.href,
).pathname;
