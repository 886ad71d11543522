package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/reference/settings.md} names every setting that the code knows, and no others. */
class SettingsReferenceTest {
    private static final Path ROOT = Path.of("..");
    private static final String REFERENCE = read(ROOT.resolve("docs/reference/settings.md"));
    private static final String KEY = "millrace\\.(?:lanes|[a-z]+(?:\\.[a-z-]+)+)";
    private static final String VARIABLE = "MILLRACE_[A-Z_]+";

    /** Properties that the launcher passes to the processes that it starts. */
    private static final Set<String> NO_KEYS = Set.of("millrace.database.template");

    /** Sources that name attributes of spans, which look like settings. */
    private static final Pattern OF_SPANS = Pattern.compile(".*/(TraceKeys|JobSpans|SpanTree)\\.java");

    /** Variables that Millrace's own processes pass to each other. */
    private static final Set<String> NO_VARIABLES = Set.of(
            "MILLRACE_ABSENT",
            "MILLRACE_COMMAND",
            "MILLRACE_FILES",
            "MILLRACE_HOME",
            "MILLRACE_PACKAGES",
            "MILLRACE_PROCESS_ID",
            "MILLRACE_TEMPLATE",
            "MILLRACE_TEST_DATABASE_URL");

    @Test
    void namesEveryKey() {
        Set<String> known = all("\"(" + KEY + ")\"", sources());
        known.removeAll(NO_KEYS);

        assertThat(all("(?m)^\\| `(" + KEY + ")` \\|", Stream.of(REFERENCE))).isEqualTo(known);
    }

    @Test
    void namesEveryVariableThatStandsForNoKey() {
        Set<String> known =
                all("[\"{:](" + VARIABLE + ")\\b", Stream.concat(sources(), Stream.of(read(ROOT.resolve("millrace")))));
        known.removeAll(NO_VARIABLES);
        known.removeAll(all("(" + KEY + ")", Stream.of(REFERENCE)).stream()
                .map(key -> key.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet()));

        assertThat(all("(" + VARIABLE + ")", Stream.of(REFERENCE))).containsAll(known);
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "gateway", "worker", "dev"})
    void namesEveryFlag(String command) {
        Set<String> flags =
                all("(--[a-z-]+)", Stream.of(CliRunner.run(command, "--help").output()));
        flags.removeAll(Set.of("--help", "--version"));

        assertThat(flags).contains("--config");
        assertThat(all("(--[a-z-]+)", Stream.of(REFERENCE))).containsAll(flags);
    }

    private static Set<String> all(String pattern, Stream<String> texts) {
        return texts.flatMap(text -> Pattern.compile(pattern).matcher(text).results())
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> sources() {
        return Stream.of(
                        "scheduler-service",
                        "api-gateway",
                        "worker-sdk-java",
                        "worker-handlers",
                        "memory",
                        "tls",
                        "cli")
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(SettingsReferenceTest::files)
                .map(SettingsReferenceTest::read);
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !OF_SPANS.matcher(file.toString()).matches())
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
