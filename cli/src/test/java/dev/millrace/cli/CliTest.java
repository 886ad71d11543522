package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class CliTest {
    @Test
    void showsItsCommands() {
        CliRunner.Outcome outcome = CliRunner.run("--help");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output())
                .contains("Usage: millrace", "demo", "dev", "server", "gateway", "worker", "runs", "flows", "scripts");
    }

    @Test
    void findsEachCommandByItsName() {
        Commands.BY_NAME.forEach((name, type) -> {
            assertThat(type.getAnnotation(Command.class).name()).isEqualTo(name);
            assertThat(CliRunner.run(name, "--help").output()).startsWith("Usage: millrace " + name + " ");
        });
    }

    @Test
    void listsItsCommandsInGroups() {
        assertThat(Commands.byHeading().values().stream().flatMap(List::stream))
                .containsAll(Commands.BY_NAME.keySet())
                .doesNotHaveDuplicates();
        assertThat(CliRunner.run("--help").output().lines())
                .contains("  Start and develop", "  Run", "  Deploy", "  Operate", "  Services", "  Access");
    }

    @Test
    void breaksHelpBetweenWords() {
        String help = CliRunner.run("run", "--help").output();

        assertThat(help.lines()).allMatch(line -> line.length() <= 80 || line.startsWith("  millrace "));
        assertThat(help.split("[\\s\"]+")).contains("(.yaml,", ".json),", "name=Ada", "examples/wordcount/in.json");
    }

    @Test
    void saysInALineWhatIsWrongWithArguments() {
        assertThat(refusal("rum", "flow.yaml"))
                .isEqualTo(
                        "The command millrace rum is unknown. Did you mean run?\nSee its usage with: ./millrace --help\n");
        assertThat(refusal("runs", "lst"))
                .isEqualTo("The command millrace runs lst is unknown. Did you mean list?\n"
                        + "See its usage with: ./millrace runs --help\n");
        assertThat(refusal("run", "ok.py", "--wtach"))
                .isEqualTo("The option --wtach of millrace run is unknown. Did you mean --watch?\n"
                        + "See its usage with: ./millrace run --help\n");
        assertThat(refusal("run", "ok.py", "--zzz=1")).startsWith("The option --zzz of millrace run is unknown.\n");
        assertThat(refusal("run", "ok.py", "-i", "name=Ada", "Lovelace"))
                .startsWith(
                        "The argument Lovelace of millrace run is one too many. Quote a value that contains spaces.\n");
        assertThat(refusal("runs", "get"))
                .isEqualTo("Missing required parameter: 'ID'.\nSee its usage with: ./millrace runs get --help\n");
    }

    @Test
    void saysWhereOptionsBelong() {
        assertThat(refusal("--server", "http://localhost:8400", "runs", "list"))
                .startsWith(
                        "Options come after the command:" + " ./millrace runs list --server http://localhost:8400\n");
        assertThat(refusal("--watch", "flow.yaml"))
                .startsWith("The option --watch is unknown, and no command is named.\n");
    }

    @Test
    void tellsProgramsWhatIsWrongWithArguments() {
        assertThat(refusal("runs", "list", "-o", "json", "--zzz"))
                .isEqualTo("{\"error\":{\"code\":\"usage\",\"message\":"
                        + "\"The option --zzz of millrace runs list is unknown.\"}}\n");
    }

    private static String refusal(String... arguments) {
        CliRunner.Outcome outcome = CliRunner.run(arguments);
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        return outcome.errors();
    }

    @Test
    void printsItsVersion() {
        assertThat(CliRunner.run("version").output()).startsWith("millrace ");
        assertThat(CliRunner.run("version", "-o", "json").output()).contains("\"version\":", "\"java\":");
    }

    @Test
    void printsACompletionScript() {
        CliRunner.Outcome outcome = CliRunner.run("completion");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).contains("_complete_millrace", "validate");
    }

    @Test
    void refusesAServerThatIsNoUrl() {
        CliRunner.Outcome outcome = CliRunner.run("runs", "list", "--server", "localhost:8400");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).contains("'localhost:8400' is not an http or https URL", "http://localhost:8400");
    }

    @Test
    void saysWhyAServerHelpsWithNothing() {
        CliRunner.Outcome outcome =
                CliRunner.run("scripts", "run", "pack.ts", "--help", "--server", "http://127.0.0.1:1");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.UNREACHABLE.number());
        assertThat(outcome.output()).startsWith("Usage: millrace scripts run ");
        assertThat(outcome.errors()).contains("http://127.0.0.1:1").doesNotContain("CommandFailure", "\tat ");
    }
}
