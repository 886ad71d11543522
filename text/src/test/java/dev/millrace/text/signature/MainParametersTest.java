package dev.millrace.text.signature;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainParametersTest {
    @Test
    void readsTheNamesOfPythonWithTheirDefaults() {
        String source = """
                import helpers
                TEXT = '''
                def main(other): return 1
                '''

                async def main(  # takes "quotes", and (brackets
                    a: dict[str, int], b: "str" = ", c", /, *rest, d: int = max(1, 2), e, ctx=None,
                ) -> int:
                    return a

                if __name__ == "__main__":
                    main({})
                """;

        assertThat(MainParameters.ofPython(source))
                .contains(new MainParameters(List.of("a", "b", "d", "e"), Set.of("a", "e"), false));
    }

    @Test
    void pythonWithOtherKeywordsIsOpen() {
        assertThat(MainParameters.ofPython("def main(a, **others):\n    return a\n"))
                .contains(new MainParameters(List.of("a"), Set.of("a"), true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "def main(input): return 1",
                "def main(ctx, input): return 1",
                "def other(a): return 1",
                "@task\ndef main(a): return 1",
                "@task(\n    name='x',\n)\n# about it\ndef main(a): return 1",
                "if True:\n    def main(a): return 1",
                "class Job:\n    def main(self, a): return 1",
                "def main(a): return 1\ndef main(b): return 1",
                "def main(a): return 1\nmain = wrapped(main)",
                "def main(a): return 1\nmain = partial",
                "def main(a): return 1\nfrom tasks import main",
                "def main(a): return 1\nimport tasks.run as main",
                "def main(a): return 1\nfrom tasks import *",
                "def main(a): return 1\nglobals()['main'] = 3",
                "def main(a): return 1\ndel main",
                "def main(a=lambda x, y: 1): return 1",
                "def main[T](a: T): return 1",
                "def main(a",
                "x = 'open\ndef main(a): return 1",
                "x = (\ndef main(a): return 1",
            })
    void pythonThatLeavesADoubtIsNotRead(String source) {
        assertThat(MainParameters.ofPython(source)).isEmpty();
    }

    @Test
    void readsTheNamesOfTypeScriptWithTheirDefaults() {
        String source = """
                import { z } from "npm:zod";
                // main counts.
                export async function main(
                  a: Map<string, [number, "x" | 'y']>, // (the first
                  b?: { c: number, d: string },
                  each: (item: string, index: number) => boolean,
                  e = [1, 2], /* , f */
                  ctx?: Context,
                ): Promise<number> {
                  return a.size;
                }
                """;

        assertThat(MainParameters.ofTypeScript(source))
                .contains(new MainParameters(List.of("a", "b", "each", "e"), Set.of("a", "each"), false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "export function main(input: Order) {}",
                "export function main({ a, b }: Order) {}",
                "export function main(a: number, { b }: Order) {}",
                "export function main(...all: number[]) {}",
                "export function main(this: Order, a: number) {}",
                "export function main(a = 1 < 2, b: number) {}",
                "export function main(a = `x`, b: number) {}",
                "export function main(a = /[,)]/, b: number) {}",
                "export function main<T>(a: T) {}",
                "export function main(a: number): void;\nexport function main(b: string): void;",
                "export const main = (a: number) => a;",
                "/*\nexport function main(a) {}\n*/\nexport const main = (b: number) => b;",
                "/*\nexport function main(a) {}\n*/\nexport { main } from './other.ts';",
                "/*\nexport function main(a) {}\n*/\nexport * from './other.ts';",
                "/*\nexport function main(a) {}\n*/\nfunction run(b) {}\nexport { run as main };",
                "export const inputSchema = z.object({});\nexport function main(a: number) {}",
                "export function main(a: number",
                "  export function main(a: number) {}",
            })
    void typeScriptThatLeavesADoubtIsNotRead(String source) {
        assertThat(MainParameters.ofTypeScript(source)).isEmpty();
    }

    @Test
    void aLargeScriptIsNotRead() {
        String large = "def main(a): return 1\n" + "#".repeat(MainParameters.SOURCE_CHARS_MAX);

        assertThat(MainParameters.ofPython(large)).isEmpty();
    }
}
