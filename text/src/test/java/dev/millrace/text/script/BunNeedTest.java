package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BunNeedTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "import { $ } from \"bun\";",
                "import { Database } from 'bun:sqlite'",
                "import { z } from \"zod\"",
                "import{z}from'zod@^4/mini'",
                "const fs = require('fs')",
                "import * as fs from 'node:fs/promises'",
                "import { execSync } from \"child_process\";",
                "const { exec } = await import(`node:child_process`)",
                "export * from 'date-fns'",
                "export async function main() { return new Bun.CryptoHasher(\"sha256\") }",
                "const x = globalThis.Bun.version",
                "const text = `at ${Bun.version}`",
                "const text = `${`${Bun.version}`}`",
                "const a = b / c; Bun.sleep(1); const d = e / f",
                "const u = 'http://x'; await Bun.sleep(1)",
                "return import.meta.dir",
                "const r = /[/`\"']/; Bun.gc()",
            })
    void isSeenInTheCode(String source) {
        assertThat(BunNeed.isIn(source)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "export async function main(word: string) { return word.length; }",
                "// import { $ } from \"bun\"\nexport function main() {}",
                "/* Bun.version\n import x from 'zod' */",
                "const text = \"Bun.version\"",
                "const text = `import { $ } from \"bun\"`",
                "const text = `Bun.version ${text}`",
                "const text = 'it\\'s Bun.version'",
                "const r = /Bun.version/g",
                "import { x } from \"./bun.ts\"; import y from '/f/zod.ts'",
                "import { createHash } from \"crypto\"; import { join } from 'node:path'",
                "import { x } from 'windmill-client'",
                "const a = { Bun: 1 }; a.Bun",
                "const myBun = 1; Bunny.x",
                "const where = import.meta.dirname",
                "greet(\"from\", \"zod\")",
            })
    void isNotSeenElsewhere(String source) {
        assertThat(BunNeed.isIn(source)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"`${", "/*", "\"", "/[", "from(", "import ", "a/ ", "\\", "`"})
    void isNotSlowedDownByHostileText(String piece) {
        long start = System.nanoTime();
        assertThat(BunNeed.isIn("x" + piece.repeat(2_000))).isIn(true, false);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void readsATextThatEndsTooEarly() {
        assertThat(BunNeed.isIn("import x from \"zod")).isTrue();
        assertThat(BunNeed.isIn("const x = `${a")).isFalse();
    }
}
