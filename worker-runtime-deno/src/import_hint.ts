/** Says how to write an import that Deno has not understood. */

/** What Deno says of a bare name; its hint is a command for projects, which scripts are not. */
const BARE =
  /Import "([^"\n]{1,400})" not a dependency(?: and not in import map from "[^"\n]*")?(?:\n\s*hint: [^\n]*`deno add [^\n]*)?/g;

/** The text with what the author of a script can do about bare names in imports. */
export function withImportHints(text: string): string {
  return text.replace(
    BARE,
    (_all, name: string) =>
      `The import of "${name}" finds nothing. Write "npm:${name}" for a package of npm, or "./${name}" with the ending of the ` +
      "file for one beside the script.",
  );
}
