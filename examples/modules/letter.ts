import { salutation } from "./text/greeting.ts";

export function main(name: string, total: string): string {
  return `${salutation(name)} please pay ${total}.`;
}
