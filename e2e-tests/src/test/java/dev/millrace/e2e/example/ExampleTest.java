package dev.millrace.e2e.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import dev.millrace.harness.MillraceHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every example returns the result in its {@code expected.json} when it is run by the command line as its README says.
 */
@ExtendWith(SharedInstallation.class)
final class ExampleTest {
    private static final Path EXAMPLES = MillraceHome.find().path().resolve("examples");

    /** Folders of examples in languages whose programs are optional and missing. */
    private static final List<String> ABSENT = absent();

    /** Deploys the flows that an example starts first: those in files whose names do not begin with an f. */
    @ParameterizedTest
    @MethodSource("examples")
    void givesItsExpectedResult(Path file, Installation installation) throws IOException {
        Path folder = EXAMPLES.resolve(file.getName(0));
        var cli = new Cli(installation.cluster().gatewayUrl());
        for (Path used : entries(folder, "[!f]*.yaml")) {
            assertThat(cli.run("flows", "deploy", used.toString()).exitCode()).isZero();
        }

        Cli.Outcome outcome = cli.run(
                "run",
                EXAMPLES.resolve(file).toString(),
                "--input-file",
                folder.resolve("in.json").toString(),
                "--output",
                "json");

        assertThat(outcome.exitCode()).as("exit code, with %s", outcome).isZero();
        assertThat(Json.parse(outcome.output()).path("output"))
                .isEqualTo(Json.parse(Files.readString(folder.resolve("expected.json"))));
    }

    /** The first program in Go waits until Go has compiled its own libraries, which takes half a minute. */
    @Tag("nightly")
    @Test
    void theOneInGoGivesItsExpectedResult(Installation installation) throws IOException {
        assumeThat(ABSENT).doesNotContain("go");

        givesItsExpectedResult(Path.of("go", "discount.go"), installation);
    }

    @Test
    void schedulesAreAppliedAndStarted(Installation installation) {
        var cli = new Cli(installation.cluster().gatewayUrl());
        Path folder = EXAMPLES.resolve("schedules");
        List<List<String>> commands = List.of(
                List.of("scripts", "deploy", folder.resolve("report.py").toString(), "--path", "examples/report.py"),
                List.of("schedules", "apply", folder.resolve("fixed-times.yaml").toString()),
                List.of("schedules", "next", "examples/nightly"),
                List.of("schedules", "trigger", "examples/nightly"),
                List.of("schedules", "history", "examples/nightly"),
                List.of("schedules", "delete", "examples/nightly"),
                List.of("schedules", "delete", "examples/hourly"));

        for (List<String> command : commands) {
            Cli.Outcome outcome = cli.run(command.toArray(String[]::new));
            assertThat(outcome.exitCode())
                    .as("exit code of %s, with %s", command, outcome)
                    .isZero();
        }
    }

    @Test
    void aFlowStartsOnTheEndOfAnImport(Installation installation) {
        var cli = new Cli(installation.cluster().gatewayUrl());
        Path folder = EXAMPLES.resolve("events");
        succeeds(cli, "scripts", "deploy", folder.resolve("import.py").toString(), "--path", "examples/import");
        assertThat(succeeds(cli, "flows", "deploy", folder.resolve("flow.yaml").toString()))
                .contains(
                        "The event trigger examples/summary/imported of its file was created.",
                        "The schedule examples/summary/nightly of its file was created.");
        succeeds(
                cli,
                "alerts",
                "set",
                "imports",
                "--type",
                "run.failed",
                "--path",
                "examples/import",
                "--webhook",
                "https://example.com/hook");

        succeeds(cli, "run", "examples/import");

        Await.until(
                "the end of the import has started the flow",
                Api.PATIENCE,
                () -> succeeds(cli, "triggers", "history", "event", "examples/summary/imported")
                        .contains("started"));
        assertThat(succeeds(cli, "events", "--path", "examples/summary")).contains("run.accepted");
        succeeds(cli, "alerts", "delete", "imports");
        succeeds(cli, "flows", "delete", "--force", "examples/summary");
    }

    @Test
    void anEventHandlerOfConductorStartsAWorkflow(Installation installation) {
        var cli = new Cli(installation.cluster().gatewayUrl());
        Path folder = EXAMPLES.resolve("conductor-events");
        succeeds(cli, "flows", "deploy", folder.resolve("order.json").toString());
        succeeds(cli, "flows", "deploy", folder.resolve("shipping.json").toString());
        succeeds(
                cli,
                "event-handlers",
                "apply",
                folder.resolve("ship_when_paid.json").toString());

        succeeds(
                cli,
                "run",
                "example_order",
                "--input-file",
                folder.resolve("paid.json").toString());

        Await.until(
                "the message has started the workflow",
                Api.PATIENCE,
                () -> succeeds(cli, "runs", "list", "--name", "example_shipping")
                        .contains("succeeded"));
        assertThat(succeeds(cli, "event-handlers", "history", "ship_when_paid")).contains("completed");
        succeeds(cli, "event-handlers", "delete", "ship_when_paid");
    }

    private static String succeeds(Cli cli, String... command) {
        Cli.Outcome outcome = cli.run(command);
        assertThat(outcome.exitCode())
                .as("exit code of %s, with %s", List.of(command), outcome)
                .isZero();
        return outcome.output();
    }

    @Test
    void isThereForEachLanguageAndAFlow() throws IOException {
        assertThat(examples())
                .extracting(Path::toString)
                .contains(
                        "hello/hello.py",
                        "hello/hello.ts",
                        "hello/hello.sh",
                        "sqlite/sales.sqlite.sql",
                        "wordcount/flow.yaml");
    }

    /**
     * The flow of each folder, or each of its scripts if it has no flow. {@code PythonProcessTest} runs the example with
     * a worker of its own.
     */
    static List<Path> examples() throws IOException {
        var examples = new ArrayList<Path>();
        for (Path folder : entries(EXAMPLES, "*")) {
            if (Files.exists(folder.resolve("worker.py"))
                    || folder.getFileName().toString().equals("go")
                    || ABSENT.contains(folder.getFileName().toString())) {
                continue;
            }
            List<Path> flows = entries(folder, "flow.yaml");
            examples.addAll(flows.isEmpty() ? entries(folder, "*.{py,ts,sh,go,sqlite.sql}") : flows);
        }
        return examples.stream().map(EXAMPLES::relativize).sorted().toList();
    }

    private static List<String> absent() {
        List<String> absent = new ArrayList<>();
        if (!isOnPath("go")) {
            absent.add("go");
        }
        Path bun = Path.of("worker-runtime-deno/node_modules/bun/bin/bun.exe");
        if (!isOnPath("bun") && !Files.isExecutable(MillraceHome.find().path().resolve(bun))) {
            absent.addAll(List.of("bun", "bun-packages"));
        }
        return absent;
    }

    private static boolean isOnPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static List<Path> entries(Path folder, String glob) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
            var paths = new ArrayList<Path>();
            entries.forEach(paths::add);
            return paths;
        }
    }
}
