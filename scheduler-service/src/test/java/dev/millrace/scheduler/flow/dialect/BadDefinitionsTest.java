package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each definition in a dialect's {@code bad-definitions.txt} gets exactly the problems listed after it. */
class BadDefinitionsTest {
    private record Case(String title, String definition, String problems) {}

    @TestFactory
    Stream<DynamicTest> millrace() throws IOException {
        return tests("millrace", Optional.empty(), "flow.yaml", 60);
    }

    @TestFactory
    Stream<DynamicTest> openflow() throws IOException {
        return tests("openflow", Optional.of("openflow"), "flow.yaml", 50);
    }

    @TestFactory
    Stream<DynamicTest> conductor() throws IOException {
        return tests("conductor", Optional.of("conductor"), "flow.json", 50);
    }

    @TestFactory
    Stream<DynamicTest> fastflow() throws IOException {
        return tests("fastflow", Optional.of("fastflow"), "flow.yaml", 40);
    }

    @TestFactory
    Stream<DynamicTest> openflowWarnings() throws IOException {
        return warnings("openflow", "flow.yaml");
    }

    @TestFactory
    Stream<DynamicTest> conductorWarnings() throws IOException {
        return warnings("conductor", "flow.json");
    }

    @TestFactory
    Stream<DynamicTest> fastflowWarnings() throws IOException {
        return warnings("fastflow", "flow.yaml");
    }

    /** Definitions that compile with warnings. */
    private static Stream<DynamicTest> warnings(String dialect, String fileName) throws IOException {
        return cases("/flow/dialect/" + dialect + "/warned-definitions.txt").stream()
                .map(warned -> DynamicTest.dynamicTest(warned.title(), () -> {
                    Compilation compilation =
                            FlowCompiler.compile(new FlowSource(fileName, Optional.of(dialect), warned.definition()));
                    assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
                    assertThat(text(((Compilation.Compiled) compilation).warnings()))
                            .isEqualTo(warned.problems());
                }));
    }

    /** The test cases of one dialect. If {@code dialect} is empty, the compiler has to recognize it. */
    private static Stream<DynamicTest> tests(String folder, Optional<String> dialect, String fileName, int casesMin)
            throws IOException {
        List<Case> cases = cases("/flow/dialect/" + folder + "/bad-definitions.txt");
        assertThat(cases).hasSizeGreaterThanOrEqualTo(casesMin);
        return cases.stream()
                .map(bad -> DynamicTest.dynamicTest(bad.title(), () -> {
                    Compilation compilation = FlowCompiler.compile(new FlowSource(fileName, dialect, bad.definition()));
                    assertThat(compilation).isInstanceOf(Compilation.Rejected.class);
                    assertThat(text(((Compilation.Rejected) compilation).problems()))
                            .isEqualTo(bad.problems());
                }));
    }

    private static String text(List<FlowProblem> problems) {
        StringBuilder text = new StringBuilder();
        for (FlowProblem problem : problems) {
            text.append(problem.line()).append(':').append(problem.column()).append(' ');
            text.append(problem.path()).append(": ");
            text.append(problem.message())
                    .append(" ~ ")
                    .append(problem.remedy())
                    .append('\n');
        }
        return text.toString();
    }

    private static List<Case> cases(String file) throws IOException {
        try (InputStream stream = Objects.requireNonNull(BadDefinitionsTest.class.getResourceAsStream(file))) {
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            List<Case> cases = new ArrayList<>();
            String[] sections = text.split("(?m)^=== ", -1);
            for (int i = 1; i < sections.length; i++) {
                int titleEnd = sections[i].indexOf('\n');
                int dots = sections[i].indexOf("...\n", titleEnd);
                cases.add(new Case(
                        sections[i].substring(0, titleEnd),
                        sections[i].substring(titleEnd + 1, dots),
                        sections[i].substring(dots + "...\n".length())));
            }
            return cases;
        }
    }
}
