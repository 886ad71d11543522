package dev.millrace.e2e.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages and examples about Python programs do what they say, with the package as it is built and installed. */
@ExtendWith(SharedInstallation.class)
final class PythonProcessTest {
    private static final String RUN_PAGE = "e2e-tests/src/test/python/run_page.py";
    private static final Path PAGES = MillraceHome.find().path().resolve("docs/how-to");
    private static final Path EXAMPLE = MillraceHome.find().path().resolve("examples/own-process");

    @Test
    void thePageAboutTheClientPrintsWhatItShows(Installation installation) {
        String address = installation.cluster().schedulerAddress(0);

        PythonProgram.run(Map.of(), RUN_PAGE, "docs/how-to/python-client.md", address);
    }

    @Test
    void thePageAboutHandlersPrintsWhatItShows(Installation installation) {
        String address = installation.cluster().schedulerAddress(0);

        PythonProgram.run(Map.of(), RUN_PAGE, "docs/how-to/python-handlers.md", address);
    }

    @Test
    void theExampleGivesItsExpectedResult(Installation installation) throws IOException {
        String address = installation.cluster().schedulerAddress(0);
        var variables = Map.of("MILLRACE_SCHEDULER_TARGET", address);

        runExample(PythonProgram.start(variables, "examples/own-process/worker.py"), variables);
        runExample(PythonProgram.startNode(address, "example_worker.js"), variables);
    }

    /** Runs the flow of the example with the handlers of this worker, which is the only one that has them. */
    private static void runExample(PythonProgram started, Map<String, String> variables) throws IOException {
        try (PythonProgram worker = started) {
            String output = PythonProgram.run(variables, "examples/own-process/start.py");

            assertThat(Json.parse(output)).isEqualTo(Json.parse(Files.readString(EXAMPLE.resolve("expected.json"))));
            worker.terminate();
            assertThat(worker.awaitEnd()).as(worker.errors()).isZero();
        }
    }

    @Test
    void thePagesAboutNodePrintWhatTheyShow(Installation installation) throws IOException {
        String address = installation.cluster().schedulerAddress(0);
        try (PythonProgram _ = PythonProgram.startNode(address, "page_handlers.js");
                PythonProgram caller = PythonProgram.startNode(address, "page_client.js")) {
            PythonProgram.run(Map.of(), RUN_PAGE, "docs/how-to/typescript-handlers.md", address);

            String page = Files.readString(PAGES.resolve("typescript-client.md"));
            assertThat(page).contains("```text\n" + caller.awaitSuccess() + "\n```");
        }
    }

    @Test
    void aWorkerThatIsToldToStopLetsItsJobEnd(Installation installation) {
        var variables =
                Map.of("MILLRACE_SCHEDULER_TARGET", installation.cluster().schedulerAddress(0));
        try (PythonProgram worker = PythonProgram.start(variables, "e2e-tests/src/test/python/gated_worker.py");
                PythonProgram caller = PythonProgram.start(variables, "e2e-tests/src/test/python/gated_caller.py")) {
            assertThat(worker.awaitLine()).isEqualTo("begun");
            worker.terminate();
            Await.until(
                    "the worker is stopping",
                    Api.PATIENCE,
                    () -> worker.errors().contains("Stopping"));
            worker.writeLine("go on");

            assertThat(caller.awaitSuccess()).isEqualTo("done");
            assertThat(worker.awaitEnd()).as(worker.errors()).isZero();
        }
    }
}
