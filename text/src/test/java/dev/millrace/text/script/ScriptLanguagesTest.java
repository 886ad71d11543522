package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptLanguagesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "// millrace: runtime=bun\nimport 'zod';",
                "#!/usr/bin/env bun\n\n  // Orders.\n//millrace: memory=1GiB runtime=bun isolation=fresh\n",
                "// millrace: runtime=bun"
            })
    void aCommentAtTheHeadOfTypeScriptAsksForBun(String source) {
        assertThat(ScriptLanguages.of("a.ts", source)).contains("bun");
        assertThat(ScriptLanguages.of("a.mjs", source)).contains("bun");
        assertThat(ScriptLanguages.of("a.py", source)).contains("python");
        assertThat(ScriptLanguages.of("a.txt", source)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import 'zod';\n// millrace: runtime=bun",
                "// millrace: runtime=bunny",
                "// millrace: runtime=deno",
                "// runtime=bun",
                "const text = `\n// millrace: runtime=bun\n`;",
                ""
            })
    void otherTypeScriptIsForDeno(String source) {
        assertThat(ScriptLanguages.of("a.ts", source)).contains("deno");
    }

    @Test
    void bunReadsFilesOfDenoAndNotTheOtherWayRound() {
        assertThat(ScriptLanguages.fits("a.ts", "bun")).isTrue();
        assertThat(ScriptLanguages.fits("a.bun.ts", "bun")).isTrue();
        assertThat(ScriptLanguages.fits("a.bun.ts", "deno")).isFalse();
        assertThat(ScriptLanguages.fits("a.py", "bun")).isFalse();
    }
}
