/** Assertions for the tests, so that they need no package from a registry. */

/** Fails unless both values are deeply equal. */
export function assertEquals(actual: unknown, expected: unknown): void {
  if (show(actual) !== show(expected)) {
    throw new Error(`Values differ.\nactual:   ${show(actual)}\nexpected: ${show(expected)}`);
  }
}

/** Fails unless `text` contains `part`. */
export function assertIncludes(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`The text lacks ${JSON.stringify(part)}:\n${text}`);
}

/** Fails unless `act` throws an error of the class; returns the error. */
export function assertThrows<E extends Error>(act: () => unknown, errorClass: new (message: string) => E): E {
  try {
    act();
  } catch (error) {
    if (error instanceof errorClass) return error;
    throw error;
  }
  throw new Error(`No ${errorClass.name} was thrown.`);
}

/** Fails unless `act` rejects with an error of the class. */
export async function assertRejects<E extends Error>(
  act: () => Promise<unknown>,
  errorClass: new (message: string) => E,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof errorClass) return;
    throw error;
  }
  throw new Error(`No ${errorClass.name} was thrown.`);
}

function show(value: unknown): string {
  return Deno.inspect(value, { sorted: true, depth: 100, iterableLimit: 10_000, strAbbreviateSize: 1_000_000 });
}
