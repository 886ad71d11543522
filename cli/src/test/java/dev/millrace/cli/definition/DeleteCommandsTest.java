package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeleteCommandsTest {
    private final FakeGateway gateway = FakeGateway.start();

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    @Test
    void deletesAFlow() {
        gateway.on("DELETE /flows/a/b", 200, "{\"hash\":\"f00d\"}");

        CliRunner.Outcome outcome = CliRunner.run("flows", "delete", "a/b", "--server=" + gateway.url());

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).contains("Deleted flow a/b.", "f00d");
    }

    @Test
    void deletesAScriptThatIsUsedByForceOnly() {
        gateway.on("DELETE /scripts/a.py", 409, """
                        {"code":"in_use","status":409,"detail":"The script a.py is used by the flow x. Delete it anyway with force: runs go on."}""").on("DELETE /scripts/a.py", 200, "{\"hash\":\"beef\"}");

        CliRunner.Outcome refused = CliRunner.run("scripts", "delete", "a.py", "--server=" + gateway.url());
        CliRunner.Outcome forced = CliRunner.run("scripts", "delete", "a.py", "--force", "--server=" + gateway.url());

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.errors())
                .contains("The script a.py is used by the flow x. Delete it anyway with --force: runs go on.");
        assertThat(forced.exitCode()).isZero();
        assertThat(gateway.requests())
                .extracting(FakeGateway.Request::path)
                .containsExactly("/scripts/a.py", "/scripts/a.py?force=true");
    }
}
