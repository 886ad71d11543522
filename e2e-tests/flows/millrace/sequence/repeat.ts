export function main(text: string, times: number): string {
  return Array(times).fill(text).join(" ");
}
