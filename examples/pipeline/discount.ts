/** Looks up a customer's discount. The service it asks is unreliable, so the first attempt fails and the step is retried. */

interface Context {
  attempt: number;
}

export function main(customer: string, ctx: Context): number {
  if (ctx.attempt === 1) {
    throw new Error("The discount service does not answer");
  }
  console.log(`${customer} gets 10 % off (attempt ${ctx.attempt})`);
  return 0.1;
}
