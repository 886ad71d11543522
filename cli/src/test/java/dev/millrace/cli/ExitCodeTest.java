package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.client.Json;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exit codes that {@code docs/reference/cli.md} documents. */
class ExitCodeTest {
    private FakeGateway gateway = FakeGateway.start();

    @BeforeEach
    void startGateway() {
        gateway.close();
        gateway = FakeGateway.start();
    }

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    @Test
    void isZeroWhenTheCommandWorked() {
        gateway.on("GET /runs", 200, "{\"items\":[],\"next_page_token\":\"\"}");

        assertThat(run("runs", "list").exitCode()).isZero();
    }

    @Test
    void isOneWhenTheRunFailed() {
        gateway.on("POST /runs", 200, """
                {"id":"r1","name":"a","state":"failed","error":{"name":"ValueError","message":"No good.","stack":"a.py:1"}}""");

        CliRunner.Outcome outcome = run("run", "a");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).isEmpty();
        assertThat(outcome.errors())
                .contains("Run r1 failed: ValueError: No good.", "a.py:1", "./millrace runs logs r1");
    }

    @ParameterizedTest
    @CsvSource({
        "'run'",
        "'runs'",
        "'runs get'",
        "'nonsense'",
        "'runs list --nonsense'",
        "'run a -i nameless'",
        "'version -o x'"
    })
    void isTwoWhenTheArgumentsAreWrong(String arguments) {
        CliRunner.Outcome outcome = run(arguments.split(" "));

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({"'runs list --nonsense -o json'", "'run --output=json'", "'runs get -ojson'"})
    void saysAsJsonThatTheArgumentsAreWrong(String arguments) {
        CliRunner.Outcome outcome = run(arguments.split(" "));

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(Json.parse(outcome.errors())
                        .orElseThrow()
                        .path("error")
                        .path("code")
                        .asText())
                .isEqualTo("usage");
    }

    @Test
    void isThreeAndSaysHowToStartOneWhenNothingAnswers() throws IOException {
        int port = freePort();

        CliRunner.Outcome outcome = CliRunner.run("workers", "list", "--server", "http://localhost:" + port);

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.errors())
                .startsWith(
                        "No Millrace server answers at http://localhost:" + port + ". Start one with: ./millrace dev");
    }

    @ParameterizedTest
    @CsvSource({"400,5", "422,5", "413,5", "404,4", "409,6", "429,6", "503,3", "500,70"})
    void followsTheStatusOfTheAnswer(int status, int exitCode) {
        gateway.on("GET /runs/r1", status, "{\"title\":\"Title\",\"detail\":\"What went wrong.\"}");

        CliRunner.Outcome outcome = run("runs", "get", "r1");

        assertThat(outcome.exitCode()).isEqualTo(exitCode);
        assertThat(outcome.errors()).isEqualToIgnoringNewLines("What went wrong.");
    }

    @Test
    void isFourWhenNeitherFileNorFlowNorScriptExists() {
        CliRunner.Outcome outcome = run("run", "nowhere/nothing");

        assertThat(outcome.exitCode()).isEqualTo(4);
        assertThat(outcome.errors()).contains("There is no file nowhere/nothing here", "./millrace flows list");
    }

    @Test
    void tellsErrorsAsJsonWhereJsonIsAskedFor() {
        CliRunner.Outcome outcome = run("runs", "get", "r1", "--output", "json");

        assertThat(outcome.errors())
                .isEqualToIgnoringNewLines(
                        "{\"error\":{\"code\":\"not_found\",\"message\":\"There is no such thing.\"}}");
    }

    private CliRunner.Outcome run(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
        boolean takesServer = arguments.length > 1 && !arguments[0].equals("version");
        all[arguments.length] = "--server=" + gateway.url();
        return CliRunner.run(takesServer ? all : arguments);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
