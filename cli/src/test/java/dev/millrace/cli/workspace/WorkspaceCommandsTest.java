package dev.millrace.cli.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceCommandsTest {
    private static final String TEAM = """
            {"name":"team-a","description":"Reports\\u001b[2J","isolated":true,"state":"archived",
             "former_names":["old-a"],"created_by":"ada"}""";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void listsWorkspaces() {
        gateway.on("GET /workspaces", 200, "{\"items\":[" + TEAM + "],\"next_page_token\":\"\"}");

        assertThat(run("workspaces list").output()).isEqualTo("""
                NAME    STATE     ISOLATED  CREATED  DESCRIPTION
                team-a  archived  yes                Reports\\x1b[2J
                """);
    }

    @Test
    void showsAWorkspace() {
        gateway.on("GET /workspaces/team-a", 200, TEAM);

        assertThat(run("workspaces get team-a").output()).isEqualTo("""
                Workspace team-a is archived.
                Description:  Reports\\x1b[2J
                Isolated:     yes
                Former names: old-a
                Created by:   ada
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "create team-a --description x|POST /workspaces|{'name':'team-a','description':'x'}",
                "create team-a --isolated|POST /workspaces|{'name':'team-a','isolated':true}",
                "update team-a --isolated false|PATCH /workspaces/team-a|{'isolated':false}",
                "rename team-a team-b|POST /workspaces/team-a:rename|{'new_name':'team-b'}",
                "archive team-a|POST /workspaces/team-a:archive|{}",
                "restore team-a|POST /workspaces/team-a:restore|{}",
                "delete team-a|DELETE /workspaces/team-a|{}",
                // The workspace of the call is another thing than the one that is changed.
                "archive team-a --workspace team-c|POST /workspaces/team-a:archive|{}"
            })
    void changesTheWorkspaceThatIsNamed(String command, String request, String body) {
        gateway.on(request, 200, TEAM);

        CliRunner.Outcome outcome = run("workspaces " + command);

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.output()).contains("team-a");
        assertThat(Json.compact(gateway.requests().getFirst().body())).isEqualTo(body.replace('\'', '"'));
    }

    @Test
    void cancelsRunsByForceOnly() {
        gateway.on("DELETE /workspaces/team-a", 202, TEAM);

        run("workspaces delete team-a --force");

        assertThat(gateway.requests().getFirst().path()).isEqualTo("/workspaces/team-a?force=true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"workspaces get ../users", "workspaces update team-a", "quotas set"})
    void refusesWhatMakesNoSense(String command) {
        assertThat(run(command).exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void showsQuotasAndTheirUse() {
        gateway.on("GET /workspaces/team-a/quotas", 200, """
                {"quotas":{"submits_per_second_max":100,"queued_jobs_max":0},
                 "use":{"submits_per_second":12.4,"queued_jobs":1234,"refused_calls":5}}""");

        assertThat(run("quotas get --workspace team-a").output()).contains("""
                QUOTA                        AT MOST   USED
                submitted runs a second          100     12
                jobs that wait or run       no limit  1,234
                """, "has refused 5 calls");
    }

    @Test
    void changesOnlyTheQuotasThatAreNamed() {
        gateway.on("GET /quotas", 200, """
                {"quotas":{"submits_per_second_max":100,"queued_jobs_max":50},"use":{}}""").on("PUT /quotas", 200, "{}");

        assertThat(run("quotas set --queued-jobs 0").output())
                .isEqualTo("Changed the quotas of the workspace default.\n");
        assertThat(Json.compact(gateway.requests().getLast().body()))
                .isEqualTo("{\"submits_per_second_max\":100,\"queued_jobs_max\":0}");
    }

    private CliRunner.Outcome run(String command) {
        return CliRunner.run(Stream.concat(Stream.of(command.split(" ")), Stream.of("--server=" + gateway.url()))
                .toArray(String[]::new));
    }
}
