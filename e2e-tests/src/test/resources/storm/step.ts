import type { Context } from "millrace";

export async function main(value: number, lines: number, ctx: Context, millis: number = 0) {
  const nonce = crypto.randomUUID();
  for (let i = 0; i < lines; i++) {
    console.log(`${nonce} ${i}`);
    await new Promise((resolve) => setTimeout(resolve, millis / lines));
  }
  return { value: (value * 3 + 1) % 1_000_003, nonce, attempt: ctx.attempt, lines };
}
