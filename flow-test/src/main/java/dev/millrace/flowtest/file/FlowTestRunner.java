package dev.millrace.flowtest.file;

import dev.millrace.flowtest.Fake;
import dev.millrace.flowtest.FlowFolder;
import dev.millrace.flowtest.FlowUnderTest;
import dev.millrace.flowtest.Simulation;
import dev.millrace.flowtest.SimulationStopped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Runs the tests of a file, one after the other. */
public final class FlowTestRunner {
    private FlowTestRunner() {}

    /**
     * How a test ended.
     *
     * @param differences what differs from what was expected; empty if the test has passed
     * @param took real time
     */
    public record Result(FlowTestCase test, List<String> differences, Duration took) {
        public Result {
            differences = List.copyOf(differences);
        }

        /** Returns whether everything was as expected. */
        public boolean passed() {
            return differences.isEmpty();
        }
    }

    /** Runs those tests of a file that the filter takes. */
    public static void run(FlowTestFile file, Predicate<FlowTestCase> filter, Consumer<Result> listener) {
        FlowFolder folder = new FlowFolder(file.file().resolveSibling(""));
        for (FlowTestCase test : file.tests()) {
            if (filter.test(test)) {
                long began = System.nanoTime();
                List<String> differences = run(file, folder, test);
                listener.accept(new Result(test, differences, Duration.ofNanos(System.nanoTime() - began)));
            }
        }
    }

    private static List<String> run(FlowTestFile file, FlowFolder folder, FlowTestCase test) {
        try {
            FlowUnderTest flow = folder.read(file.flow());
            List<String> unknown =
                    test.expectation().unknown(flow::hasStep, test.fakes().keySet());
            if (!unknown.isEmpty()) {
                return unknown;
            }
            Map<String, Fake> fakes = new LinkedHashMap<>();
            test.fakes().forEach((name, written) -> fakes.put(name, written.fresh()));
            Simulation simulation = new Simulation(folder, fakes, test.seed(), test.begin());
            return test.expectation().differences(simulation.run(flow, test.input(), test.signals()));
        } catch (SimulationStopped stopped) {
            return List.of(stopped.sentence());
        }
    }

    /** Returns whether a file has tests, by its name. */
    public static boolean isTestFile(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".test.yaml") || name.endsWith(".test.yml");
    }
}
