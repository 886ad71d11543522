import { root } from "#/root.ts";

/** The page of the gateway that logs people in, and then returns to the page that is open now. */
export function loginAddress(): string {
  const here = document.location.pathname.slice(root.length - 1) + document.location.search;
  return `${root}login?return_to=${encodeURIComponent(here)}`;
}
