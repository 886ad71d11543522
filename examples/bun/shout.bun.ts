import { Database } from "bun:sqlite";

export function main(words: string[], times = 1) {
  const database = new Database(":memory:");
  console.log("using Bun", Bun.version);
  return words.map((word) => database.query("select upper(?) || ? as text").get(word, "!".repeat(times)));
}
