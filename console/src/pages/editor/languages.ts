/** The languages whose code has colors; `text` has none. */
export type CodeLanguage = "yaml" | "python" | "typescript" | "text";

/** The language of a file by its ending, as far as the editor colors it. */
export function languageOf(path: string): CodeLanguage {
  switch (path.slice(path.lastIndexOf(".") + 1)) {
    case "yaml":
    case "yml":
    case "json":
      return "yaml";
    case "py":
      return "python";
    case "ts":
    case "tsx":
    case "js":
    case "mjs":
      return "typescript";
    default:
      return "text";
  }
}

/** The language of a script: by its ending, else as the server names it. */
export function codeLanguage(path: string, named: string | undefined): CodeLanguage {
  const found = languageOf(path);
  if (found !== "text") {
    return found;
  }
  return named === "python" ? "python" : named === "typescript" || named === "javascript" ? "typescript" : "text";
}
