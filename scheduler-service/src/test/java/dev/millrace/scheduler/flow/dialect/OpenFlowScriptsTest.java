package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.dialect.millrace.FlowPrinter;
import dev.millrace.scheduler.flow.dialect.millrace.Printing;
import dev.millrace.scheduler.queue.core.Language;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the languages and locks of scripts in openflow definitions. */
class OpenFlowScriptsTest {
    private static final String EXACT = "humanize==4.9.0\n";
    private static final String FLOW = """
            value:
              modules:
                - id: a
                  value: {type: rawscript, language: %s, content: "%s", lock: "%s", input_transforms: {}}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bun | import { $ } from 'bun' | bun",
                "bun | export const main = () => Bun.version | bun",
                "bun | import { execSync } from 'child_process' | bun",
                "nativets | import { z } from 'zod' | bun",
                "bun | // import { $ } from 'bun' | deno",
                "bun | export const main = () => 'Bun.version' | deno",
                "bunnative | export const main = () => fetch('http://x') | deno",
                "deno | import { execSync } from 'child_process' | deno",
            })
    void runsInBunWhatNeedsIt(String word, String content, String language) {
        assertThat(script(compiled(word, content, "")).language()).isEqualTo(new Language(language));
    }

    @Test
    void keepsTheLocksOfScriptsThatHavePackages() {
        String bun = "{}\\n//bun.lock\\n{}";

        assertThat(script(compiled("python3", "import humanize", EXACT.replace("\n", "\\n")))
                        .lock())
                .isEqualTo(EXACT);
        assertThat(script(compiled("bun", "import { z } from 'zod'", bun)).lock())
                .isEqualTo("{}\n//bun.lock\n{}");
        assertThat(script(compiled("bun", "export const main = () => 1", bun)).lock())
                .isEmpty();
        assertThat(script(compiled("bash", "echo", "x")).lock()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "python3 | import x | humanize>=4 | names no exact versions in the form that pip has",
                "python3 | import x | !inline a.lock | is in a file, and the script is not",
                "bun | import 'zod' | {}\\n//bun.lockb\\nAAAA | names no exact versions in the form that bun.lock has",
            })
    void warnsOfALockThatItCannotObey(String word, String content, String lock, String warning) {
        Compilation.Compiled compiled = compiled(word, content, lock);

        assertThat(script(compiled).lock()).isEmpty();
        assertThat(compiled.warnings())
                .singleElement()
                .extracting(FlowProblem::message)
                .asString()
                .startsWith("The lock has no effect, since it ")
                .contains(warning);
    }

    @Test
    void aConversionWritesTheLockBesideTheScript() {
        Printing.Printed printed = (Printing.Printed)
                FlowPrinter.print(compiled("python3", "import humanize", EXACT.replace("\n", "\\n")));

        assertThat(printed.scripts())
                .containsOnly(Map.entry("inline_a.py", "import humanize"), Map.entry("inline_a.lock", EXACT));
    }

    private static Compilation.InlineScript script(Compilation.Compiled compiled) {
        return compiled.inlineScripts().get("inline:a");
    }

    private static Compilation.Compiled compiled(String language, String content, String lock) {
        return (Compilation.Compiled) FlowCompiler.compile(
                new FlowSource("f.yaml", Optional.of("openflow"), FLOW.formatted(language, content, lock)));
    }
}
