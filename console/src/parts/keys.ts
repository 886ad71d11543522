/** Whether shortcuts are named by the keys of a Mac. */
const isMac = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);

/** The name of a shortcut with the key that is Command on a Mac and Control elsewhere: `⌘ K`, `Ctrl K`. */
export function modText(key: string): string {
  return `${isMac ? "⌘" : "Ctrl"} ${key}`;
}
