export function main(word: string) {
  Deno.writeTextFileSync(`./shared/${word}`, word);
}
