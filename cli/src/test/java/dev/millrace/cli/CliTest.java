package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
    void showsItsCommandsToWhoNamesAnother() {
        CliRunner.Outcome outcome = CliRunner.run("rum", "flow.yaml");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).contains("Unmatched arguments", "'rum'", "run", "runs");
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
