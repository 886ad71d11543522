import humanizeDuration from "npm:humanize-duration@^3";

export function main(seconds: number): string {
  return humanizeDuration(seconds * 1000, { conjunction: " and ", serialComma: false });
}
