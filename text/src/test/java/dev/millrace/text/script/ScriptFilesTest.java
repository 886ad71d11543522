package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptFilesTest {
    private static final int BYTES_MAX = 1 << 20;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "etl/load.py | import helper | etl/helper.py",
                "etl/load.py | import helper as h, other | etl/helper.py etl/other.py",
                "etl/load.py | from helper import f | etl/helper.py",
                "etl/load.py | from .helper import f | etl/helper.py",
                "etl/load.py | from . import helper, other | etl/helper.py etl/other.py",
                "etl/load.py | from ..shared.text import slug | shared/text.py",
                "etl/load.py | from shared.text import slug | shared/text.py",
                "etl/load.py | from shared import (~text, # why (not)~ other) | shared/text.py",
                "etl/load.py | import package.part | etl/package/__init__.py etl/package/part.py",
                "etl/load.py | from package import part | etl/package/__init__.py etl/package/part.py",
                "etl/load.py | if x: import helper; import other | etl/helper.py etl/other.py",
                "etl/load.py | import \\~  helper | etl/helper.py",
                "etl/load.py | import email | ",
                "etl/load.py | from .email import f | etl/email.py",
                "etl/load.py | import millrace | ",
                "etl/load.py | import load | ",
                "etl/load.py | from ....etl import helper | ",
                "etl/load.py | import requests | ",
                "etl/load.py | import slack | ",
                "etl/load.py | from slack.web import Client | ",
                "etl/load.py | from . import slack | etl/slack.py",
                "etl/load.py | from etl.slack import f | etl/slack.py",
                "etl/load.py | import slack; from .slack import f | etl/slack.py",
                "load.py | from . import top | top.py",
                "etl/load.ts | import { f } from './helper.ts' | etl/helper.ts",
                "etl/load.ts | export * from \"../shared/text.ts\" | shared/text.ts",
                "etl/load.ts | import data from '/shared/text.ts' with {} | shared/text.ts",
                "etl/load.ts | const x = await import('./helper.ts') | etl/helper.ts",
                "etl/load.ts | import '../../../helper.ts' | ",
                "etl/load.ts | import x from 'npm:helper.ts' | ",
            })
    void findsWhatAScriptImports(String main, String source, String found) {
        var given = new Given("etl/helper.py", "etl/other.py", "etl/email.py", "email.py", "etl/load.py", "top.py");
        given.put("etl/millrace.py", "").put("etl/package/__init__.py", "").put("etl/package/part.py", "");
        given.put("etl/slack.py", "import os, slack")
                .put("shared/text.py", "")
                .put("shared/text.ts", "")
                .put("etl/helper.ts", "");

        var files = ScriptFiles.find(main, source.replace('~', '\n'), BYTES_MAX, given, ScriptFiles.Source.NONE);

        assertThat(String.join(" ", files.keySet())).isEqualTo(found == null ? "" : found);
    }

    @Test
    void followsImportsThroughFilesThatImportEachOther() {
        var given = new Given()
                .put("a.py", "from .lib import b")
                .put("lib/b.py", "from . import c\nimport a")
                .put("lib/c.py", "from ..a import x")
                .put("lib/unused.py", "");

        assertThat(find("main.py", "import a", given)).containsExactly("a.py", "lib/b.py", "lib/c.py");
    }

    @Test
    void takesTheGivenFileBeforeOneElsewhere() {
        var given = new Given().put("f/a.py", "here");
        var elsewhere = new Given().put("f/a.py", "there").put("f/b.py", "there");

        assertThat(ScriptFiles.find("main.py", "from f import a, b", BYTES_MAX, given, elsewhere))
                .isEqualTo(Map.of("f/a.py", "here", "f/b.py", "there"));
    }

    /** Others could take the place of a package, by a script in a folder of its name. */
    @ParameterizedTest
    @CsvSource({
        "main.py, import requests, false",
        "main.py, from requests.adapters import x, false",
        "etl/main.py, from requests.adapters import x, false",
        "etl/main.py, import top, false",
        "main.py, from .requests import adapters, true",
        "etl/main.py, from ..requests import adapters, true",
        "main.py, from f.requests.adapters import x, true",
        "requests/main.py, from requests.adapters import x, true",
        "requests/main.py, import adapters, true",
    })
    void looksElsewhereOnlyForImportsThatCanMeanNothingElse(String main, String source, boolean isFound) {
        var elsewhere = new Given("requests.py", "requests/__init__.py", "requests/adapters.py", "top.py");
        elsewhere.put("f/requests/adapters.py", "");

        var found = ScriptFiles.find(main, source, BYTES_MAX, new Given(), elsewhere);

        assertThat(found.isEmpty()).isNotEqualTo(isFound);
    }

    @Test
    void goScriptsBringTheFilesThatChooseTheirModules() {
        assertThat(find("etl/load.go", "", new Given("etl/go.mod", "etl/go.sum", "go.mod")))
                .containsExactly("etl/go.mod", "etl/go.sum");
        assertThat(find("etl/load.go", "", new Given("etl/go.sum"))).isEmpty();
    }

    @Test
    void takesTheListOfPackagesBesideTheScript() {
        var given = new Given("etl/requirements.txt", "requirements.txt", "etl/pyproject.toml");

        assertThat(find("etl/load.py", "", given)).containsExactly("etl/requirements.txt");
        assertThat(find("etl/load.py", "# /// script\n# dependencies = []\n# ///\n", given))
                .isEmpty();
        assertThat(find("etl/load.ts", "", given)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'[project]\nname = \"x\"\nclassifiers = [\n  \"a\",\n]\ndependencies = [\"requests\"]\n', true",
        "'[tool.ruff]\nline-length = 120\n', false",
        "'[project]\nname = \"x\"\n[tool.x]\ndependencies = []\n', false",
    })
    void takesAProjectThatListsPackages(String project, boolean isTaken) {
        var given = new Given().put("pyproject.toml", project);

        assertThat(find("main.py", "", given).contains("pyproject.toml")).isEqualTo(isTaken);
    }

    @Test
    void endsSoonAfterItHasFoundMoreThanTheLimitsAllow() {
        var many = new Given();
        var imports = new StringBuilder();
        IntStream.range(0, 1_000).forEach(i -> {
            many.put("m" + i + ".py", "x".repeat(1_000));
            imports.append("import m").append(i).append('\n');
        });

        assertThat(find("main.py", imports.toString(), many)).hasSize(ScriptFiles.COUNT_MAX + 1);
        assertThat(ScriptFiles.find("main.py", imports.toString(), 5_000, many, ScriptFiles.Source.NONE))
                .hasSize(6);
    }

    /** Each is a megabyte of what an unlucky pattern takes for ever to reject. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "from a import (",
                "from .",
                ".",
                "import a, ",
                "; ",
                " ",
                "#",
                "from . import (a #\n",
                "import\n'./"
            })
    @Timeout(180)
    void isNotSlowedDownByHostileText(String piece) {
        String hostile = piece.repeat(BYTES_MAX / piece.length());
        long start = System.nanoTime();

        assertThat(find("main.py", hostile, new Given())).isEmpty();
        assertThat(find("main.py", "from " + hostile, new Given())).isEmpty();
        assertThat(find("main.ts", "from " + hostile, new Given())).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    private static Set<String> find(String main, String source, Given given) {
        return ScriptFiles.find(main, source, BYTES_MAX, given, ScriptFiles.Source.NONE)
                .keySet();
    }

    private static final class Given implements ScriptFiles.Source {
        private final Map<String, String> files = new HashMap<>();
        private final ScriptFiles.Source source = ScriptFiles.Source.of(files);

        Given(String... empty) {
            for (String path : empty) {
                files.put(path, "");
            }
        }

        Given put(String path, String text) {
            files.put(path, text);
            return this;
        }

        @Override
        public Set<String> present(Collection<String> paths) {
            return source.present(paths);
        }

        @Override
        public String read(String path) {
            return source.read(path);
        }
    }
}
