export function main({ n }: { n: number }): number {
  return 2 * n;
}
