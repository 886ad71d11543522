package dev.millrace.scheduler.alert.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests what alerts say to people. */
class AlertTextTest {
    private static final String ASKED = """
            {"type": "dev.millrace.approval.requested", "time": "2026-01-02T03:04:05Z", "source": "/millrace/workspaces/shop",
             "data": {"run_id": "0197", "name": "release", "step": "ok", "for": "approval", "title": "Ship <it>?\\n"}}
            """;
    private static final Optional<String> CONSOLE = Optional.of("https://millrace.example.com");

    @Test
    void linksToTheRunThatAsks() {
        assertThat(AlertText.subject(ASKED)).isEqualTo("Approval requested: release (step ok) – Ship <it>?");
        assertThat(AlertText.body(ASKED, Workspace.of("shop"), CONSOLE))
                .contains("open: https://millrace.example.com/runs/0197?workspace=shop\n");
        assertThat(AlertText.slack(ASKED, Workspace.DEFAULT, CONSOLE))
                .contains("Ship &lt;it&gt;?*", "open: https://millrace.example.com/runs/0197\\n");
    }

    @Test
    void linksNowhereIfTheServerDoesNotKnowWhereOrThereIsNoRun() {
        String lost = "{\"type\": \"dev.millrace.worker.lost\", \"data\": {\"name\": \"w1\"}}";

        assertThat(AlertText.body(ASKED, Workspace.DEFAULT, Optional.empty())).doesNotContain("open:");
        assertThat(AlertText.body(lost, Workspace.DEFAULT, CONSOLE)).doesNotContain("open:");
    }
}
