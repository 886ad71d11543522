package dev.millrace.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AuditCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void listsEventsThatMatch() {
        gateway.on("GET /workspaces/team-a/audit-events", 200, """
                {"items":[{"id":"e1","workspace":"team-a","principal":"ada","action":"DeployFlow",
                  "subject":"a\\u001b]0;x\\u0007","outcome":"denied","count":3,"detail":{"why":"no role"}}],
                 "next_page_token":""}""");

        CliRunner.Outcome outcome = CliRunner.run(
                "audit",
                "list",
                "--workspace=team-a",
                "--outcome=denied",
                "--since=2026-01-31T08:00:00Z",
                "--limit=5",
                "--server=" + gateway.url());

        assertThat(outcome.output().lines().toList().getLast())
                .contains("ada", "DeployFlow", "a\\x1b]0;x\\x07", "denied", "3", "{\"why\":\"no role\"}");
        assertThat(gateway.requests().getFirst().path())
                .isEqualTo("/workspaces/team-a/audit-events?outcome=denied&since=2026-01-31T08%3A00%3A00Z&page_size=5");
    }

    @Test
    void exportsLinesOfAllWorkspaces() {
        gateway.on("GET /audit-events:export", 200, "{\"id\":\"e1\",\"x\":\"\u009b2J\"}\n{\"id\":\"e2\"}\n");

        CliRunner.Outcome outcome = CliRunner.run(
                "audit", "export", "--all", "--workspace=team-a", "--after-id=e0", "--server=" + gateway.url());

        assertThat(outcome.output()).isEqualTo("{\"id\":\"e1\",\"x\":\"\\u009b2J\"}\n{\"id\":\"e2\"}\n");
        assertThat(gateway.requests().getFirst().path()).isEqualTo("/audit-events:export?all=true&after_id=e0");
    }

    @Test
    void saysWhyAnExportIsRefused() {
        gateway.on("GET /audit-events:export", 403, "{\"detail\":\"ada needs the role admin.\"}");

        CliRunner.Outcome outcome = CliRunner.run("audit", "export", "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED.number());
        assertThat(outcome.errors()).isEqualTo("ada needs the role admin.\n");
        assertThat(outcome.output()).isEmpty();
    }
}
