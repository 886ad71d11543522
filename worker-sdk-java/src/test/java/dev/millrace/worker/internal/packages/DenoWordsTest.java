package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DenoWordsTest {
    @Test
    void sayHowToWriteABareImport() {
        assertThat(
                        DenoWords.forScripts(
                                "TS2307 [ERROR]: Import \"zod\" not a dependency and not in import map from \"file:///a.ts\"\n"
                                        + "  hint: If you want to use the npm package, try running `deno add npm:zod`\n    at a.ts:1:15"))
                .isEqualTo(
                        "TS2307 [ERROR]: The import of \"zod\" finds nothing. Write \"npm:zod\" for a package of npm, or"
                                + " \"./zod\" with the ending of the file for one beside the script.\n    at a.ts:1:15");
        assertThat(DenoWords.forScripts("Found 2 errors.")).isEqualTo("Found 2 errors.");
    }
}
