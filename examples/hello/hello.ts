/** Greets someone. `main` is what Millrace calls; its parameters are filled by name from the input. */
export function main(name: string, excited = false): string {
  console.log(`Greeting ${name} from TypeScript`);
  return `Hello, ${name}${excited ? "!" : "."}`;
}
