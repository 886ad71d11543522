package dev.millrace.cli.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CliRunner.Outcome;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @ParameterizedTest
    @CsvSource({
        "name, NAME",
        "types, --type",
        "folder, --folder",
        "path, --path",
        "webhook.url, --webhook",
        "webhook.url_secret, --webhook-secret",
        "webhook.signing_secret, --signing-secret",
        "slack.url, --slack",
        "slack.url_secret, --slack-secret",
        "kafka.connection, --kafka",
        "kafka.topic, --topic",
        "email, --email",
        "email.recipients, --email"
    })
    void callsFieldsAsTheirOptions(String field, String option) {
        gateway.on(
                "PUT /alerts/ops",
                400,
                "{\"detail\":\"The request is invalid: " + field + ": x\",\"errors\":[{\"field\":\"" + field
                        + "\",\"message\":\"x\"}]}");

        Outcome outcome = run("--webhook=https://example.com/");

        assertThat(outcome.errors()).isEqualTo("The request is invalid: " + option + ": x\n");
    }

    /** An option that has no effect beside the others is a mistake. */
    @ParameterizedTest
    @CsvSource({
        "--slack=https://example.com/ --signing-secret=a, --signing-secret goes with --webhook or --webhook-secret",
        "--slack=https://example.com/ --topic=a, --topic goes with --kafka",
        "--slack=https://example.com/ --binary, --binary goes with --kafka",
        "--kafka=a, --kafka goes with --topic"
    })
    void refusesOptionsWithoutTheirOther(String options, String start) {
        Outcome outcome = run(options.split(" ", -1));

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors()).startsWith(start + ": ").hasLineCount(1);
        assertThat(gateway.requests()).isEmpty();
    }

    private Outcome run(String... options) {
        return CliRunner.run(Stream.concat(
                        Stream.of("alerts", "set", "ops", "--type=run.failed", "--server=" + gateway.url()),
                        Arrays.stream(options))
                .toArray(String[]::new));
    }
}
