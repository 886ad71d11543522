package dev.millrace.flowtest.file;

import dev.millrace.scheduler.flow.dialect.FlowProblem;
import java.nio.file.Path;
import java.util.List;

/**
 * A file with tests of one flow, or of one script.
 *
 * @param subject what is tested
 * @param tests the tests; none if there are problems
 * @param problems why the file cannot be used
 */
public record FlowTestFile(Path file, Subject subject, List<FlowTestCase> tests, List<FlowProblem> problems) {
    /** What the tests of a file run. Its path is relative to the folder of the file. */
    public sealed interface Subject {
        /**
         * A flow.
         *
         * @param file with the definition; empty if there are problems
         */
        record Flow(String file) implements Subject {}

        record Script(String file) implements Subject {}
    }

    public FlowTestFile {
        tests = List.copyOf(tests);
        problems = List.copyOf(problems);
    }

    /** The problems, a line each, with the place in the file. */
    public List<String> messages() {
        return problems.stream()
                .map(problem -> file + ":" + problem.line() + ":" + problem.column() + ": "
                        + (problem.path().isEmpty() ? "" : problem.path() + ": ")
                        + problem.message() + " " + problem.remedy())
                .toList();
    }
}
