/** Declarations of a script's files, as `deno doc` reads them. Nothing of the script runs. */

/** A type as it is written. Only what the schemas need is described. */
export interface WrittenType {
  readonly kind: string;
  readonly value?: unknown;
}

/** A named member of an interface or an object type. */
export interface WrittenProperty {
  readonly name: string;
  readonly computed?: boolean;
  readonly optional?: boolean;
  readonly tsType?: WrittenType;
  readonly jsDoc?: WrittenDoc;
}

/** What interfaces and object types consist of. */
export interface WrittenMembers {
  readonly properties?: readonly WrittenProperty[];
  readonly methods?: readonly WrittenProperty[];
  readonly callSignatures?: readonly unknown[];
  readonly constructors?: readonly unknown[];
  readonly indexSignatures?: readonly {
    readonly params: readonly WrittenParameter[];
    readonly tsType?: WrittenType;
  }[];
}

/** A parameter of a function. */
export interface WrittenParameter {
  readonly kind: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly tsType?: WrittenType;
  /** What a pattern of the kind `object` takes out of the parameter; the value of a key without a default is null. */
  readonly props?: readonly { readonly kind: string; readonly key?: string; readonly value?: unknown }[];
  /** What has a default, if the kind is `assign`. */
  readonly left?: WrittenParameter;
}

/** A comment before a declaration. */
export interface WrittenDoc {
  readonly doc?: string;
  readonly tags?: readonly { readonly kind: string; readonly name?: string; readonly doc?: string }[];
}

/** A declaration of a function, a type or a value. */
export interface Declaration {
  readonly kind: string;
  readonly declarationKind: string;
  readonly location?: { readonly filename: string; readonly byteIndex: number };
  readonly jsDoc?: WrittenDoc;
  readonly def?: WrittenMembers & {
    readonly params?: readonly WrittenParameter[];
    readonly hasBody?: boolean;
    readonly tsType?: WrittenType;
    readonly extends?: readonly WrittenType[];
    readonly typeParams?: readonly { readonly name: string; readonly default?: WrittenType }[];
    readonly members?: readonly { readonly name: string; readonly init?: WrittenType }[];
  };
}

interface DocumentedFile {
  readonly imports?: readonly { readonly importedName: string; readonly originalName?: string; readonly src: string }[];
  readonly symbols: readonly { readonly name: string; readonly declarations: readonly Declaration[] }[];
}

/** Stands for all that is no file of the version, such as packages. */
const ELSEWHERE = "data:text/typescript,";

/** Rounds in which imported files are read. */
const ROUNDS_MAX = 20;

/** Imports that cannot be resolved, of which the text of the files does not tell. */
const UNRESOLVED_MAX = 20;

const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g;

/** The declarations of one version of a script. */
export class Declarations {
  readonly #files: ReadonlyMap<string, DocumentedFile>;

  private constructor(files: ReadonlyMap<string, DocumentedFile>) {
    this.#files = files;
  }

  /**
   * Reads the declarations of a script and of the files that it imports; undefined if Deno cannot read them.
   *
   * @param folder Address of the folder with all files of the version.
   * @param deno The program.
   */
  static async read(script: string, folder: string, deno: string): Promise<Declarations | undefined> {
    const reader = new DocReader(folder, deno);
    const files = new Map<string, DocumentedFile>();
    let wanted = [script];
    for (let round = 0; wanted.length > 0 && round < ROUNDS_MAX; round++) {
      // deno-lint-ignore no-await-in-loop -- each round reads what the one before it imports
      const read = await reader.read(wanted);
      if (read === undefined) break;
      for (const [url, file] of read) files.set(url, file);
      wanted = [...new Set([...read.values()].flatMap(filesBehind))]
        .filter((url) => url.startsWith(folder) && !files.has(url));
    }
    return files.has(script) ? new Declarations(files) : undefined;
  }

  /** All declarations of a name at the top level of a file. */
  of(name: string, file: string): readonly Declaration[] {
    return this.#files.get(file)?.symbols.find((symbol) => symbol.name === name)?.declarations ?? [];
  }

  /** Where a file imports a name from; undefined if it does not. */
  imported(name: string, file: string): { readonly name: string | undefined; readonly file: string } | undefined {
    const found = this.#files.get(file)?.imports?.find(({ importedName }) => importedName === name);
    return found && { name: found.originalName, file: found.src };
  }
}

function filesBehind({ imports = [], symbols }: DocumentedFile): readonly string[] {
  const declared = symbols.flatMap(({ declarations }) => declarations.map(({ location }) => location?.filename));
  return [...imports.map(({ src }) => src), ...declared.filter((file) => file !== undefined)];
}

/** Runs `deno doc`, which fails unless it finds all that files import; so it gets an empty file for what is elsewhere. */
class DocReader {
  readonly #deno: string;
  readonly #folder: string;
  readonly #imports: Record<string, string>;

  constructor(folder: string, deno: string) {
    this.#deno = deno;
    this.#folder = folder;
    this.#imports = { "file:///": folder, [folder]: folder, millrace: ELSEWHERE, "windmill-client": ELSEWHERE };
  }

  async read(urls: readonly string[]): Promise<ReadonlyMap<string, DocumentedFile> | undefined> {
    for (const url of urls) this.#passOver(Deno.readTextFileSync(new URL(url)));
    for (let attempt = 0; attempt < UNRESOLVED_MAX; attempt++) {
      // deno-lint-ignore no-await-in-loop -- each attempt needs the error of the one before it
      const { success, stdout, stderr } = await this.#run(urls);
      if (success) return new Map(Object.entries(JSON.parse(new TextDecoder().decode(stdout)).nodes));
      const missing = /Failed resolving '(.+)' from '(.+)'/.exec(new TextDecoder().decode(stderr));
      if (missing?.[1] === undefined || missing[2] === undefined) return undefined;
      const key = /^[./]/.test(missing[1]) ? new URL(missing[1], missing[2]).href : missing[1];
      if (key in this.#imports) return undefined;
      this.#imports[key] = ELSEWHERE;
    }
    return undefined;
  }

  #passOver(text: string): void {
    for (const [, specifier] of text.matchAll(IMPORTED)) {
      if (specifier !== undefined && !/^(?:[./]|file:)/.test(specifier)) this.#imports[specifier] ??= ELSEWHERE;
    }
  }

  #run(urls: readonly string[]): Promise<Deno.CommandOutput> {
    const map = `data:application/json,${encodeURIComponent(JSON.stringify({ imports: this.#imports }))}`;
    const flags = ["--json", "--quiet", "--no-config", "--no-lock", "--no-remote", "--no-npm", `--import-map=${map}`];
    const command = new Deno.Command(this.#deno, {
      args: ["doc", ...flags, ...urls],
      cwd: new URL(this.#folder),
      stdin: "null",
    });
    return command.output();
  }
}
