// deno-lint-ignore-file no-explicit-any
export function main(ctx: any) {
  if (ctx.attempt < 4) {
    throw new Error(`attempt ${ctx.attempt}`);
  }
  return ctx.attempt;
}
