package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.MillraceClient;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunIdsTest {
    private static final String FIRST = "01a208ff-eed6-7000-bdf6-007263ad457d";
    private static final String SECOND = "01a208ff-eae6-7000-8dcc-cbc21415cc7d";

    private final FakeGateway gateway = FakeGateway.start();
    private final MillraceClient client = new MillraceClient(URI.create(gateway.url()));

    RunIdsTest() {
        gateway.on("GET /runs", 200, """
                {"items":[{"id":"%s","name":"a.py","state":"failed"},{"id":"%s","name":"b.py","state":"running"}],
                 "next_page_token":""}""".formatted(FIRST, SECOND));
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    @Test
    void areFoundByTheirLastAndTheirFirstCharacters() {
        assertThat(RunIds.find(client, "457d")).isEqualTo(FIRST);
        assertThat(RunIds.find(client, "007263ad457d")).isEqualTo(FIRST);
        assertThat(RunIds.find(client, "01a208ff-ea")).isEqualTo(SECOND);
    }

    @Test
    void needNoLookWhereTheyAreWholeOrNone() {
        assertThat(RunIds.find(client, FIRST)).isEqualTo(FIRST);
        assertThatThrownBy(() -> RunIds.find(client, "nope"))
                .hasMessage("\"nope\" is no id of a run (expected: a whole id, its last or first characters, or @last)."
                        + " List all runs with: ./millrace runs list");
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void listTheCandidatesWhereSeveralFit() {
        assertThatThrownBy(() -> RunIds.find(client, "01a208ff"))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("2 runs have an id that begins or ends with 01a208ff")
                .hasMessageContaining(FIRST + "  a.py  failed")
                .hasMessageContaining(SECOND + "  b.py  running");
    }

    @Test
    void sayThatNoneFits() {
        CliRunner.Outcome outcome = CliRunner.run("runs", "get", "dead", "--server", gateway.url());

        assertThat(outcome.exitCode()).isEqualTo(4);
        assertThat(outcome.errors()).contains("begins or ends with dead", "./millrace runs list");
    }

    @Test
    void nameTheRunThatWasSubmittedLast(@TempDir Path folder) {
        LastRun last = new LastRun(folder.resolve("state/last-run"));
        assertThatThrownBy(() -> RunIds.find(client, "@last", Optional.of(last)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("@last is the last run that this command line submitted");

        last.note(client, FIRST);

        assertThat(RunIds.find(client, "@last", Optional.of(last))).isEqualTo(FIRST);
        try (MillraceClient elsewhere = new MillraceClient(URI.create("http://elsewhere:8400"));
                MillraceClient inAnother = new MillraceClient(
                        new Connection(client.server(), Optional.of("team-a"), Optional.empty(), Optional.empty()))) {
            assertThat(last.find(elsewhere)).isEmpty();
            assertThat(last.find(inAnother)).isEmpty();
        }
    }

    @Test
    void standForRunsInOperations() {
        gateway.on("POST /runs/" + FIRST + ":cancel", 200, "{\"id\":\"" + FIRST + "\",\"state\":\"canceled\"}");

        assertThat(CliRunner.run("runs", "cancel", "457d", "--server", gateway.url())
                        .output())
                .isEqualTo("Run " + FIRST + " is canceled.\n");
    }
}
