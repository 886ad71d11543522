export async function main(x: number) {
  return x * 2;
}
