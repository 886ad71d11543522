import { useEffect } from "react";

/** What a key does: a key as browsers name it, after `g` if so written: `?`, `g r`, `Mod+k`. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const CHORD_MILLIS = 1_200;

/** Whether a key belongs to what has the focus, such as a text field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type)))
  );
}

/** Reads keys, one after the other, as names of shortcuts. Pure but for the time that it is told. */
export class Chords {
  private prefix = "";
  private until = 0;

  /** The name of the shortcut that the key may complete. */
  read(key: string, isModified: boolean, now: number): string {
    if (isModified) {
      return `Mod+${key.toLowerCase()}`;
    }
    const name = this.prefix !== "" && now < this.until ? `${this.prefix} ${key}` : key;
    this.prefix = name === "g" ? "g" : "";
    this.until = now + CHORD_MILLIS;
    return name;
  }
}

/** Listens to shortcuts while the component is shown. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const chords = new Chords();
    const listen = (event: KeyboardEvent) => {
      const isModified = event.metaKey || event.ctrlKey;
      if (
        event.altKey ||
        event.defaultPrevented ||
        (!isModified && isTyping(event.composedPath()[0] ?? event.target))
      ) {
        return;
      }
      // A dialog has its own keys.
      if (!isModified && document.querySelector('[role="dialog"]') !== null) {
        return;
      }
      const act = shortcuts[chords.read(event.key, isModified, Date.now())];
      if (act !== undefined) {
        event.preventDefault();
        act(event);
      }
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [shortcuts]);
}

/** Moves the focus among the entries of the page's list: elements with the attribute `data-entry`. */
export function moveEntry(by: 1 | -1): void {
  const entries = [...document.querySelectorAll<HTMLElement>("[data-entry]")];
  const at = entries.findIndex((entry) => entry.contains(document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : entries.length - 1) : Math.min(entries.length - 1, Math.max(0, at + by));
  entries[next]?.focus();
  entries[next]?.scrollIntoView({ block: "nearest" });
}

/** Puts the focus into the filter of the page, if it has one. */
export function focusFilter(): void {
  document.querySelector<HTMLElement>("[data-filter]")?.focus();
}
