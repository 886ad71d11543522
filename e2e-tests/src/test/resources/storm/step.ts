// millrace: check=off
import type { Context } from "millrace";

export async function main(value: number, lines: number, ctx: Context, millis: number = 0, shares: boolean = false) {
  const nonce = crypto.randomUUID();
  const found = shares ? share(nonce) : [];
  for (let i = 0; i < lines; i++) {
    console.log(`${nonce} ${i}`);
    await new Promise((resolve) => setTimeout(resolve, millis / lines));
  }
  if (shares) {
    Deno.statSync(`./shared/${nonce}`);
  }
  return { value: (value * 3 + 1) % 1_000_003, nonce, attempt: ctx.attempt, lines, found };
}

/** Returns the files of the previous steps in the folder, and leaves another file there. */
function share(nonce: string): string[] {
  const found = [...Deno.readDirSync("./shared")].map((file) => file.name);
  Deno.writeTextFileSync(`./shared/${nonce}`, "");
  return found;
}
