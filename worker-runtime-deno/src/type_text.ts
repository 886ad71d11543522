/** Parses types as TypeScript writes them, as far as they tell what JSON has at a place. */

/** A type. What says nothing about JSON, such as a function, is `other`. */
export type TypeNode =
  | { readonly kind: "name"; readonly name: string; readonly given: readonly TypeNode[] }
  | { readonly kind: "array"; readonly item: TypeNode }
  | { readonly kind: "tuple"; readonly items: readonly TypeNode[] }
  | { readonly kind: "object"; readonly members: readonly Member[]; readonly others?: TypeNode | undefined }
  | { readonly kind: "union" | "intersection"; readonly parts: readonly TypeNode[] }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "other" };

/** A property of an object type. */
export interface Member {
  readonly name: string;
  readonly type: TypeNode;
}

/** A type with a name of its own. */
export interface DeclaredType {
  readonly parameters: readonly { readonly name: string; readonly fallback: TypeNode }[];
  /** What an interface extends. */
  readonly bases: readonly TypeNode[];
  readonly type: TypeNode;
}

export const OTHER: TypeNode = { kind: "other" };

/** Deepest nesting of types in one text. */
const DEPTH_MAX = 100;

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|([\p{ID_Start}$_][\p{ID_Continue}$]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\d[\w.]*|=>|\.\.\.|[^])/uy;
const NAME = /^[\p{ID_Start}$_]/u;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The text is no type that can be read. */
class Unreadable extends Error {}

/** Returns the type that begins at `start`; `other` if it cannot be read. */
export function typeAt(text: string, start: number): TypeNode {
  return readable(() => new TypeText(text, start).type(), OTHER);
}

/** Returns what is declared where the name of an interface or of a type ends; undefined if it cannot be read. */
export function declarationAt(text: string, start: number, kind: "interface" | "type"): DeclaredType | undefined {
  return readable(() => new TypeText(text, start).declaration(kind), undefined);
}

function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable) return otherwise;
    throw error;
  }
}

/** A cursor in a text. It reads tokens only as far as the type goes. */
class TypeText {
  readonly #text: string;
  #index: number;
  #token: string | undefined;
  #depth = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#index = start;
  }

  /** The next token, which stays; empty at the end of the text. */
  #peek(): string {
    while (this.#token === undefined) {
      TOKEN.lastIndex = this.#index;
      const match = TOKEN.exec(this.#text);
      if (match === null) return "";
      this.#index = TOKEN.lastIndex;
      this.#token = match[1];
    }
    return this.#token;
  }

  #take(): string {
    const token = this.#peek();
    if (token === "") throw new Unreadable();
    this.#token = undefined;
    return token;
  }

  #takeIf(...tokens: readonly string[]): boolean {
    const found = tokens.includes(this.#peek());
    if (found) this.#take();
    return found;
  }

  #expect(token: string): void {
    if (this.#take() !== token) throw new Unreadable();
  }

  /** Goes behind the bracket that closes the next token. */
  #skipGroup(): void {
    const closing = [CLOSING[this.#take()] ?? ""];
    while (closing.length > 0) {
      const token = this.#take();
      if (token === closing.at(-1)) closing.pop();
      else if (token in CLOSING && (token !== "<" || closing.at(-1) === ">")) closing.push(CLOSING[token] ?? "");
    }
  }

  declaration(kind: "interface" | "type"): DeclaredType {
    const parameters = this.#peek() === "<" ? this.#parameters() : [];
    const bases: TypeNode[] = [];
    if (kind === "type") {
      this.#expect("=");
    } else if (this.#takeIf("extends")) {
      do bases.push(this.type()); while (this.#takeIf(","));
    }
    if (kind === "interface" && this.#peek() !== "{") throw new Unreadable();
    return { parameters, bases, type: kind === "type" ? this.type() : this.#object() };
  }

  #parameters(): { name: string; fallback: TypeNode }[] {
    const parameters = [];
    this.#expect("<");
    while (!this.#takeIf(">")) {
      this.#takeIf("const", "in", "out");
      const name = this.#take();
      if (this.#takeIf("extends")) this.type();
      parameters.push({ name, fallback: this.#takeIf("=") ? this.type() : OTHER });
      this.#takeIf(",");
    }
    return parameters;
  }

  type(): TypeNode {
    if (++this.#depth > DEPTH_MAX) throw new Unreadable();
    const type = this.#list("|", "union", () => this.#list("&", "intersection", () => this.#postfix()));
    this.#depth--;
    if (!this.#takeIf("extends")) return type;
    this.type();
    this.#expect("?");
    this.type();
    this.#expect(":");
    this.type();
    return OTHER;
  }

  #list(separator: "|" | "&", kind: "union" | "intersection", read: () => TypeNode): TypeNode {
    this.#takeIf(separator);
    const first = read();
    const parts = [first];
    while (this.#takeIf(separator)) parts.push(read());
    return parts.length === 1 ? first : { kind, parts };
  }

  #postfix(): TypeNode {
    if (this.#takeIf("readonly")) return this.#postfix();
    if (this.#takeIf("keyof", "unique", "infer")) {
      this.#postfix();
      return OTHER;
    }
    let type = this.#primary();
    while (this.#takeIf("[")) {
      if (this.#takeIf("]")) {
        type = { kind: "array", item: type };
      } else {
        this.type();
        this.#expect("]");
        type = OTHER;
      }
    }
    return type;
  }

  #primary(): TypeNode {
    const token = this.#peek();
    switch (token) {
      case "{":
        return this.#object();
      case "[":
        return this.#tuple();
      case "(":
        return this.#parenthesized();
      case "<":
        this.#skipGroup();
        return this.#primary();
      case "-":
        this.#take();
        return { kind: "literal", value: -Number(this.#take()) };
      case "new":
      case "abstract":
      case "asserts":
        this.#take();
        return this.#primary();
      case "typeof":
      case "import":
        this.#take();
        if (token === "import") this.#skipGroup();
        else this.#take();
        while (this.#takeIf(".")) this.#take();
        if (this.#peek() === "<") this.#skipGroup();
        return OTHER;
      case "true":
      case "false":
        return { kind: "literal", value: this.#take() === "true" };
    }
    this.#take();
    if (/^["']/.test(token)) return { kind: "literal", value: textOf(token) };
    if (/^\d/.test(token)) return { kind: "literal", value: Number(token) };
    if (token.startsWith("`")) return { kind: "name", name: "string", given: [] };
    if (!NAME.test(token)) throw new Unreadable();
    return this.#named(token);
  }

  #named(first: string): TypeNode {
    let name = first;
    while (this.#takeIf(".")) name += `.${this.#take()}`;
    const given: TypeNode[] = [];
    if (this.#takeIf("<")) {
      do given.push(this.type()); while (this.#takeIf(","));
      this.#expect(">");
    }
    if (this.#takeIf("is")) {
      this.type();
      return OTHER;
    }
    return { kind: "name", name, given };
  }

  /** A type in parentheses, or the parameters of a function type. */
  #parenthesized(): TypeNode {
    const before = { index: this.#index, token: this.#token };
    this.#skipGroup();
    if (this.#takeIf("=>")) {
      this.type();
      return OTHER;
    }
    this.#index = before.index;
    this.#token = before.token;
    this.#take();
    const type = this.type();
    this.#expect(")");
    return type;
  }

  #tuple(): TypeNode {
    const items: TypeNode[] = [];
    this.#expect("[");
    while (!this.#takeIf("]")) {
      if (this.#takeIf("...")) {
        this.type();
        items.push(OTHER);
      } else {
        const item = this.type();
        const isOptional = this.#takeIf("?");
        items.push(this.#takeIf(":") ? this.type() : item);
        if (!isOptional) this.#takeIf("?");
      }
      this.#takeIf(",");
    }
    return { kind: "tuple", items };
  }

  #object(): TypeNode {
    const members: Member[] = [];
    let others: TypeNode | undefined;
    this.#expect("{");
    while (!this.#takeIf("}")) {
      if (this.#takeIf(";", ",", "+", "-")) continue;
      const token = this.#peek();
      if (token === "(" || token === "<") {
        this.#method();
      } else if (token === "[") {
        others = this.#indexSignature() ?? others;
      } else {
        this.#member(members);
      }
    }
    return { kind: "object", members, others };
  }

  /** An index signature; undefined for a computed name. A mapped type cannot be read. */
  #indexSignature(): TypeNode | undefined {
    this.#expect("[");
    const name = this.#take();
    if (!this.#takeIf(":")) {
      if (this.#peek() === "in") throw new Unreadable();
      while (!this.#takeIf("]")) this.#take();
      this.#typeOfMember();
      return undefined;
    }
    if (!NAME.test(name)) throw new Unreadable();
    this.type();
    this.#expect("]");
    return this.#typeOfMember();
  }

  #member(members: Member[]): void {
    let name = this.#take();
    while (["readonly", "get", "set"].includes(name) && /^[\p{ID_Start}$_"'\d[]/u.test(this.#peek())) {
      if (this.#peek() === "[") {
        this.#indexSignature();
        return;
      }
      name = this.#take();
    }
    if (!/^[\p{ID_Start}$_"'\d]/u.test(name)) throw new Unreadable();
    const type = this.#typeOfMember();
    members.push({ name: /^["']/.test(name) ? textOf(name) : name, type });
  }

  #typeOfMember(): TypeNode {
    this.#takeIf("?");
    if (this.#peek() === "(" || this.#peek() === "<") return this.#method();
    return this.#takeIf(":") ? this.type() : OTHER;
  }

  #method(): TypeNode {
    if (this.#peek() === "<") this.#skipGroup();
    this.#skipGroup();
    if (this.#takeIf(":")) this.type();
    return OTHER;
  }
}

function textOf(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/g, "$1");
}
