package dev.millrace.scheduler.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Language;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackageHintsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "import requests\n",
                "import json\ndef main():\n    from numpy.linalg import norm\n",
                "# /// script\n# dependencies = []\n# ///\n"
            })
    void noticesWhatComesFromPackages(String source) {
        assertThat(PackageHints.mayNeedPackages(Language.PYTHON, source)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "def main(): return 1\n",
                "import json, os.path\nfrom millrace import current\nfrom __future__ import annotations\n",
                "import distutils, tomllib\nfrom . import sibling\n",
                "important = 'import'\n"
            })
    void staysCalmAboutTheStandardLibrary(String source) {
        assertThat(PackageHints.mayNeedPackages(Language.PYTHON, source)).isFalse();
    }

    @Test
    void readsChosenPackagesOutOfALock() {
        PackageLock lock = new PackageLock("python3.12", """
                humanize==4.17.0 \\
                    --hash=sha256:1324
                colorama==0.4.6 ; sys_platform == 'win32' \\
                    --hash=sha256:4f1d
                uvicorn[standard]==0.40.0
                tool @ https://example.org/tool-1.whl \\
                    --hash=sha256:9999
                """, List.of(), Instant.EPOCH);

        assertThat(lock.packages())
                .containsExactly(
                        new PackageLock.Chosen("humanize", "4.17.0", ""),
                        new PackageLock.Chosen("colorama", "0.4.6", "sys_platform == 'win32'"),
                        new PackageLock.Chosen("uvicorn", "0.40.0", ""),
                        new PackageLock.Chosen("tool", "https://example.org/tool-1.whl", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import ms from \"npm:ms\";",
                "export { a } from 'https://example.com/a.ts'",
                "import \"jsr:@std/assert\";",
                "const { b } = await import( 'npm:b@1' );",
                "// @deno-types=\"npm:@types/x\"\nimport x from './x.js';"
            })
    void noticesWhatDenoImportsFromElsewhere(String source) {
        assertThat(PackageHints.mayNeedPackages(Language.DENO, source)).isTrue();
        assertThat(PackageHints.mayNeedPackages(new Language("bash"), source)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"import { a } from './a.ts';", "import fs from \"node:fs\";", "fetch('https://example.com')"})
    void staysCalmAboutOwnFiles(String source) {
        assertThat(PackageHints.mayNeedPackages(Language.DENO, source)).isFalse();
    }

    @Test
    void noticesWhatBunImportsByBareNames() {
        assertThat(PackageHints.mayNeedPackages(Language.BUN, "import { z } from 'zod@^4';"))
                .isTrue();
        assertThat(PackageHints.mayNeedPackages(Language.BUN, "import 'fs'; import './zod.ts'; import 'millrace';"))
                .isFalse();
        assertThat(PackageHints.mayNeedPackages(Language.DENO, "import { z } from 'zod@^4';"))
                .isFalse();
    }

    @Test
    void readsChosenPackagesOutOfALockOfBun() {
        PackageLock lock = new PackageLock("bun1", """
                {"lockfileVersion": 2, "workspaces": {"": {"dependencies": {"@a/b": "^1",},},},
                 "packages": {
                   "@a/b": ["@a/b@1.0.0-rc.1", "", {}, "sha512-1"],
                   "ms": ["ms@2.1.3", "", {}, "sha512-2"],
                   "@a/b/ms": ["ms@1.0.0", "", {}, "sha512-3"],
                   "c/ms": ["ms@1.0.0", "", {}, "sha512-3"],
                 },
                }
                """, List.of(), Instant.EPOCH);

        assertThat(lock.packages())
                .extracting(one -> one.name() + " " + one.version())
                .containsExactly("npm:@a/b 1.0.0-rc.1", "npm:ms 2.1.3", "npm:ms 1.0.0");
        assertThat(new PackageLock("bun1", "no JSON", List.of(), Instant.EPOCH).packages())
                .isEmpty();
    }

    @Test
    void readsChosenPackagesOutOfALockOfDeno() {
        PackageLock lock = new PackageLock("deno2", """
                {"version": "5", "specifiers": {"npm:ms@2": "2.1.3"},
                 "npm": {"ms@2.1.3": {"integrity": "sha512-1"}, "@a/b@1.0.0-rc.1_react@18.0.0": {}},
                 "remote": {"https://example.com/a.ts": "f4f948e31e9b38375ea74606d3f226e1"}}
                """, List.of(), Instant.EPOCH);

        assertThat(lock.packages())
                .extracting(one -> one.name() + " " + one.version())
                .containsExactly("npm:ms 2.1.3", "npm:@a/b 1.0.0-rc.1", "https://example.com/a.ts f4f948e31e9b");
        assertThat(new PackageLock("deno2", "no JSON", List.of(), Instant.EPOCH).packages())
                .isEmpty();
    }
}
