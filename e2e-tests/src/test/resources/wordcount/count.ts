/** Counts words, slowly enough for a test to cause a fault meanwhile. */
export async function main(text: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of text.split(" ")) {
    counts[word] = (counts[word] ?? 0) + 1;
  }
  await new Promise((resolve) => setTimeout(resolve, 40));
  return counts;
}
