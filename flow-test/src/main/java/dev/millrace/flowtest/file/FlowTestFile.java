package dev.millrace.flowtest.file;

import dev.millrace.scheduler.flow.dialect.FlowProblem;
import java.nio.file.Path;
import java.util.List;

/**
 * A file with tests of one flow.
 *
 * @param flow the file with the definition, relative to the folder of this file; empty if there are problems
 * @param tests the tests; none if there are problems
 * @param problems why the file cannot be used
 */
public record FlowTestFile(Path file, String flow, List<FlowTestCase> tests, List<FlowProblem> problems) {
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
