package dev.millrace.test;

import dev.millrace.flowtest.file.FlowTestCase;
import dev.millrace.flowtest.file.FlowTestFile;
import dev.millrace.flowtest.file.FlowTestReader;
import dev.millrace.flowtest.file.FlowTestRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/**
 * Test files of flows as tests of JUnit 5 or newer: {@code *.test.yaml}, the files of {@code millrace test}.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicNode> flows() {
 *     return FlowTestFiles.in(Path.of("flows"));
 * }
 * }</pre>
 */
public final class FlowTestFiles {
    private static final int DEPTH_MAX = 100;

    private FlowTestFiles() {}

    /**
     * Returns a container for each file in a folder and below it, with a test for each test of the file. A file that cannot
     * be used is a test that fails.
     *
     * @throws AssertionError if there are no test files
     */
    public static Stream<DynamicNode> in(Path folder) {
        List<Path> files = find(folder);
        if (files.isEmpty()) {
            throw new AssertionError("There are no tests: no file in " + folder + " ends in .test.yaml.");
        }
        return files.stream().map(file -> container(folder, file));
    }

    private static List<Path> find(Path folder) {
        try (Stream<Path> found = Files.find(
                folder, DEPTH_MAX, (file, facts) -> facts.isRegularFile() && FlowTestRunner.isTestFile(file))) {
            return found.sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "The folder " + folder + " cannot be searched: " + unreadable.getMessage(), unreadable);
        }
    }

    private static DynamicNode container(Path folder, Path path) {
        FlowTestFile file = FlowTestReader.read(path);
        String name = folder.relativize(path).toString();
        URI place = path.toUri();
        if (!file.problems().isEmpty()) {
            String problems = String.join("\n", file.messages());
            return DynamicTest.dynamicTest(name, place, () -> {
                throw new AssertionError(problems);
            });
        }
        return DynamicContainer.dynamicContainer(
                name,
                place,
                file.tests().stream()
                        .map(test -> DynamicTest.dynamicTest(test.name(), place(path, test), () -> {
                            run(file, test);
                        })));
    }

    /** The line of a test, to which development environments jump. */
    private static URI place(Path file, FlowTestCase test) {
        return URI.create(file.toUri() + "?line=" + test.line());
    }

    private static void run(FlowTestFile file, FlowTestCase test) {
        FlowTestRunner.run(file, test::equals, SharedScripts.HOST, result -> {
            if (!result.passed()) {
                throw new AssertionError(String.join(
                        "\n",
                        Stream.concat(result.differences().stream(), result.output().stream())
                                .toList()));
            }
        });
    }
}
