/** Counts the words of one chunk. A word is a run of letters; upper and lower case are the same. */

interface Chunk {
  name: string;
  text: string;
}

export function main(chunk: Chunk): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of chunk.text.toLowerCase().matchAll(/[a-z]+/g)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  console.log(`${chunk.name}: ${counts.size} different words`);
  return Object.fromEntries(counts);
}
