const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** A number of bytes with three digits: `812 B`, `1.25 MiB`. */
export function bytesText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3)} ${UNITS[unit]}`;
}

/** A count with separators as the language of the browser has them. */
export function countText(count: number): string {
  return Math.max(0, Math.round(count)).toLocaleString();
}
