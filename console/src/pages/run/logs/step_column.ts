/** Characters of the column that names the step of a line; longer keys are cut in their middle. */
export const STEP_CHARACTERS_MAX = 30;
/** Share of a cut key that is its begin. The end, which tells the steps of one loop apart, gets more. */
const BEGIN_SHARE = 0.35;

/** A key of a step in so many characters: the outer loop and the innermost step stay, what is between them goes. */
export function shortKey(key: string, charactersMax = STEP_CHARACTERS_MAX): string {
  if (key.length <= charactersMax) {
    return key;
  }
  const begin = Math.floor((charactersMax - 1) * BEGIN_SHARE);
  return `${key.slice(0, begin)}…${key.slice(begin + 1 - charactersMax)}`;
}

/** Characters that the column needs for these steps. */
export function stepCharacters(lines: readonly { readonly step: string }[], shown: (key: string) => string): number {
  const keys = [...new Set(lines.map(({ step }) => step))];
  return keys.reduce((most, key) => Math.max(most, Math.min(shown(key).length, STEP_CHARACTERS_MAX)), 0);
}
