/** Finds the declarations of types in the files of a script. */

import { declarationAt, type DeclaredType } from "./type_text.ts";

/** Most files that are read for one script. */
const FILES_MAX = 200;

const DECLARATION =
  /^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?(?:default[ \t]+)?(?:const[ \t]+(?=enum\b))?(?:abstract[ \t]+)?(interface|type|class|enum|namespace)[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gmu;
/** An import or export from elsewhere, which begins a line. */
const IMPORT = /^[ \t]*(import|export)\b[ \t]*(?:type\b[ \t]*)?([^"'`;=()]*?)\bfrom[ \t\r\n]*["']([^"'\n]+)["']/gm;
const IN_BRACES = /\{([^}]*)\}/;

/** What a name means in a file. */
export type Meaning =
  | { readonly kind: "declared"; readonly file: string; readonly key: string; readonly types: readonly DeclaredType[] }
  /** It is declared by the script or imported, and says nothing about JSON. */
  | { readonly kind: "unknown" }
  | { readonly kind: "global" };

interface Imported {
  readonly name: string;
  /** Address of the file; undefined if it is none of the version. */
  readonly file: string | undefined;
}

interface File {
  readonly declared: ReadonlyMap<string, readonly (DeclaredType | undefined)[]>;
  readonly imported: ReadonlyMap<string, Imported>;
  /** Files of which it exports everything. */
  readonly passedOn: readonly string[];
}

const UNKNOWN: Meaning = { kind: "unknown" };

/** The types that the files of a script declare. */
export class TypeSources {
  readonly #files = new Map<string, File>();

  /**
   * Reads the files that a script imports.
   *
   * @param main address of the script
   * @param text of the script
   * @param read reads the text at an address; rejects if there is none
   */
  static async of(main: string, text: string, read: (url: string) => Promise<string>): Promise<TypeSources> {
    const sources = new TypeSources();
    const unread = [main];
    for (let url = unread.pop(); url !== undefined && sources.#files.size < FILES_MAX; url = unread.pop()) {
      if (sources.#files.has(url)) continue;
      // deno-lint-ignore no-await-in-loop -- what a file imports is known when it has been read
      const file = parse(url, url === main ? text : await read(url).catch(() => ""));
      sources.#files.set(url, file);
      for (const next of [...file.imported.values()].map(({ file }) => file).concat(file.passedOn)) {
        if (next !== undefined) unread.push(next);
      }
    }
    return sources;
  }

  /** Returns what a name means in a file. */
  meaning(name: string, url: string): Meaning {
    return this.#meaning(name, url, new Set()) ?? { kind: "global" };
  }

  #meaning(name: string, url: string, seen: Set<string>): Meaning | undefined {
    const file = this.#files.get(url);
    const key = `${url} ${name}`;
    if (file === undefined || seen.has(key)) return undefined;
    seen.add(key);
    const declared = file.declared.get(name);
    if (declared !== undefined) {
      const types = declared.flatMap((one) => one ?? []);
      return types.length === declared.length ? { kind: "declared", file: url, key, types } : UNKNOWN;
    }
    const imported = file.imported.get(name);
    if (imported !== undefined) {
      if (imported.file === undefined) return UNKNOWN;
      return this.#meaning(imported.name, imported.file, seen) ?? UNKNOWN;
    }
    for (const other of file.passedOn) {
      const found = this.#meaning(name, other, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function parse(url: string, text: string): File {
  const declared = new Map<string, (DeclaredType | undefined)[]>();
  for (const { 0: all, 1: kind, 2: name = "", index } of text.matchAll(DECLARATION)) {
    const type = kind === "interface" || kind === "type" ? declarationAt(text, index + all.length, kind) : undefined;
    declared.set(name, [...declared.get(name) ?? [], type]);
  }
  const imported = new Map<string, Imported>();
  const passedOn: string[] = [];
  for (const [, keyword, names = "", specifier = ""] of text.matchAll(IMPORT)) {
    const file = fileOf(specifier, url);
    if (keyword === "export" && names.trim() === "*" && file !== undefined) passedOn.push(file);
    for (const [local, name] of namesOf(names)) imported.set(local, { name, file: name === "" ? undefined : file });
  }
  return { declared, imported, passedOn };
}

/** The address of a file of the version; undefined for packages and the like. */
function fileOf(specifier: string, from: string): string | undefined {
  return /^\.{1,2}\//.test(specifier) ? new URL(specifier, from).href : undefined;
}

/** The names that an import binds, with those in the other file; empty for what has no single name there. */
function namesOf(clause: string): readonly (readonly [string, string])[] {
  const inBraces = IN_BRACES.exec(clause)?.[1] ?? "";
  const named = inBraces.split(",").map((part) => part.trim().replace(/^type\s+/, "")).filter((part) => part !== "");
  const outside = clause.replace(IN_BRACES, "").split(",").map((part) => part.trim().replace(/^\*\s+as\s+/, ""));
  return [
    ...named.map((part) => {
      const [name = "", local = name] = part.split(/\s+as\s+/);
      return [local, name] as const;
    }),
    ...outside.filter((part) => part !== "" && part !== "*").map((part) => [part, ""] as const),
  ];
}
