export function main(text: string) {
  return text.toUpperCase();
}
