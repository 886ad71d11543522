package dev.millrace.flowtest.file;

import dev.millrace.flowtest.Fake;
import dev.millrace.flowtest.FlowFolder;
import dev.millrace.flowtest.FlowUnderTest;
import dev.millrace.flowtest.ScriptUnderTest;
import dev.millrace.flowtest.Simulation;
import dev.millrace.flowtest.SimulationStopped;
import dev.millrace.flowtest.StepScripts;
import dev.millrace.flowtest.script.ScriptHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Runs the tests of a file, one after the other. */
public final class FlowTestRunner {
    private FlowTestRunner() {}

    /**
     * How a test ended.
     *
     * @param differences what differs from what was expected; empty if the test has passed
     * @param output what its scripts have printed, a line each
     * @param took real time
     */
    public record Result(FlowTestCase test, List<String> differences, List<String> output, Duration took) {
        public Result {
            differences = List.copyOf(differences);
            output = List.copyOf(output);
        }

        /** Returns whether everything was as expected. */
        public boolean passed() {
            return differences.isEmpty();
        }
    }

    /**
     * Runs those tests of a file that the filter takes.
     *
     * @param host runs the scripts of steps without a fake
     */
    public static void run(
            FlowTestFile file, Predicate<FlowTestCase> filter, ScriptHost host, Consumer<Result> listener) {
        FlowFolder folder = new FlowFolder(file.file().resolveSibling(""));
        for (FlowTestCase test : file.tests()) {
            if (filter.test(test)) {
                long began = System.nanoTime();
                StepScripts scripts = new StepScripts(host, test.values());
                List<String> differences = run(file, folder, test, scripts);
                host.clear();
                listener.accept(
                        new Result(test, differences, scripts.output(), Duration.ofNanos(System.nanoTime() - began)));
            }
        }
    }

    private static List<String> run(FlowTestFile file, FlowFolder folder, FlowTestCase test, StepScripts scripts) {
        try {
            return switch (file.subject()) {
                case FlowTestFile.Subject.Flow(String flow) -> run(folder.read(flow), folder, test, scripts);
                case FlowTestFile.Subject.Script(String script) -> run(script, folder, test, scripts);
            };
        } catch (SimulationStopped stopped) {
            return List.of(stopped.sentence());
        }
    }

    private static List<String> run(FlowUnderTest flow, FlowFolder folder, FlowTestCase test, StepScripts scripts) {
        Set<String> called = new TreeSet<>(folder.scripts());
        called.addAll(test.fakes().keySet());
        List<String> unknown = test.expectation().unknown(flow::hasStep, called);
        if (!unknown.isEmpty()) {
            return unknown;
        }
        Map<String, Fake> fakes = new LinkedHashMap<>();
        test.fakes()
                .forEach((name, written) ->
                        fakes.put(name, written.fresh(script -> scripts.running(folder.script(script)))));
        Simulation simulation = new Simulation(folder, fakes, scripts, test.seed(), test.begin());
        return test.expectation().differences(simulation.run(flow, test.input(), test.signals()));
    }

    private static List<String> run(String script, FlowFolder folder, FlowTestCase test, StepScripts scripts) {
        List<String> unknown = test.expectation().unknown(_ -> false, Set.of(script));
        return unknown.isEmpty()
                ? test.expectation()
                        .differences(ScriptUnderTest.run(
                                scripts, folder.script(script), script, test.input(), test.signals()))
                : unknown;
    }

    /** Returns whether a file has tests, by its name. */
    public static boolean isTestFile(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".test.yaml") || name.endsWith(".test.yml");
    }
}
