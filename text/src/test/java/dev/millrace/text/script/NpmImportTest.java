package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpmImportTest {
    @ParameterizedTest
    @CsvSource({
        "ms, ms, ''",
        "ms@^2, ms, ^2",
        "npm:ms@2.1.3/index.js, ms, 2.1.3",
        "lodash/get, lodash, ''",
        "@scope/name@~1.2/sub/file.js, @scope/name, ~1.2",
        "npm:@scope/name, @scope/name, ''",
        "ms@>=1 <3, ms, >=1 <3",
        "fsevents, fsevents, ''",
        "ms@latest, ms, latest"
    })
    void readsNamesAndRanges(String specifier, String name, String range) {
        assertThat(NpmImport.of(specifier)).contains(new NpmImport(name, range));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "./ms.ts",
                "../ms.ts",
                "/shared/ms.ts",
                "fs",
                "fs/promises",
                "node:fs",
                "bun",
                "bun:sqlite",
                "millrace",
                "windmill-client",
                "windmill-client@1.500.0",
                "npm:windmill-client",
                "https://example.org/a.ts",
                "file:///a.ts",
                "jsr:@std/text",
                "ms@file:../x",
                "ms@../x",
                "@/components",
                "",
                "."
            })
    void leavesFilesAndWhatEveryBunHas(String specifier) {
        assertThat(NpmImport.of(specifier)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import ms from 'ms';",
                "import{a}from\"ms@2\"",
                "export * from 'ms'",
                "const x = await import( 'ms' )",
                "const x = require('ms')",
                "import './a.ts'; import 'ms'"
            })
    void seesImportsInATextAndNothingElse(String source) {
        assertThat(NpmImport.isIn(source)).isTrue();
        assertThat(NpmImport.isIn(source.replace("ms", "fs").replace("@2", ""))).isFalse();
    }

    @Test
    void findsTheNamesOfWindmillsClient() {
        assertThat(WindmillClient.namesIn("""
                        import * as a from "windmill-client";
                        import * as b from 'windmill-client@1.500.0';
                        import * as c from "npm:windmill-client";
                        const d = await import("npm:windmill-client@^1.2");
                        import * as e from "jsr:@windmill-labs/windmill-client@1";
                        import * as f from "https://deno.land/x/windmill@v1.174.0/mod.ts";
                        import * as g from "npm:windmill-client-extra";
                        import * as h from "./windmill-client";
                        """))
                .containsExactly(
                        "https://deno.land/x/windmill@v1.174.0/mod.ts",
                        "jsr:@windmill-labs/windmill-client@1",
                        "npm:windmill-client",
                        "npm:windmill-client@^1.2",
                        "windmill-client@1.500.0");
    }

    @Test
    @Timeout(10)
    void hostileTextCostsNoMoreThanItsLength() {
        assertThat(NpmImport.isIn("import" + " ".repeat(1 << 20) + "\"")).isFalse();
        assertThat(NpmImport.isIn("import'" + "a".repeat(1 << 20))).isFalse();
        assertThat(NpmImport.isIn("from ".repeat(1 << 18))).isFalse();
    }
}
