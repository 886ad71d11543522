export function salutation(name: string): string {
  return `Dear ${name},`;
}
