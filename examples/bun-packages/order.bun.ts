import humanizeDuration from "humanize-duration@^3";
import { z } from "zod@^4";

export const inputSchema = z.object({
  customer: z.string().min(1),
  ordered: z.coerce.date(),
  delivered: z.coerce.date(),
});

export function main({ customer, ordered, delivered }: z.infer<typeof inputSchema>): string {
  const waited = humanizeDuration(delivered.getTime() - ordered.getTime(), { largest: 2 });
  return `${customer} has waited ${waited}.`;
}
