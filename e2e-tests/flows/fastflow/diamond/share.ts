export function main(key: string) {
  return { shareData: { [key]: "t" } };
}
