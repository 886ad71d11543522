/** Greets someone. Millrace calls `main` and fills its parameters by name from the input. */
export function main(name: string, excited = false): string {
  console.log(`Greeting ${name} from TypeScript`);
  return `Hello, ${name}${excited ? "!" : "."}`;
}
