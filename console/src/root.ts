/** The path under which the gateway serves the console, with a slash at its end: `/`, or `/millrace/` behind a proxy. */
export const root: string = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="millrace-root"]')?.content ?? "./",
  document.location.href,
).pathname;

/** Keeps the icon of the page when its address changes: browsers resolve relative addresses of icons anew each time. */
export function keepIcon(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  icon?.setAttribute("href", icon.href);
}
