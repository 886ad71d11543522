package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ReplicatedServer;
import dev.millrace.harness.ServiceProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary that a standby has replaced still runs, or comes back: nobody works on it. */
@Tag("nightly")
final class OldPrimaryTest {
    private static final Duration MOVE_LIMIT = Duration.ofSeconds(90);

    @Test
    void leavesAPrimaryThatHasBeenReplaced() {
        try (var servers = ReplicatedServer.start();
                var installation = Installation.start("old-primary", servers.databaseOfLibpq(), ClusterPlan.small())) {
            Api api = installation.api();
            api.deployScript("old/one.py", "def main():\n    return 1\n");
            Map<String, Object> run = Map.of("target", Map.of("script", "old/one.py"));
            api.runToEnd(run);

            // Nothing stops the old primary, as if its network had been away for a while.
            servers.promote();
            awaitNobodyOn(servers);
            api.awaitReady();
            assertThat(api.runToEnd(run).path("output").asInt()).isEqualTo(1);

            // It is the first in the address of a scheduler that knows of no failover.
            ServiceProcess scheduler = installation.cluster().scheduler(0);
            scheduler.kill();
            scheduler.start();
            api.awaitReady();
            assertThat(api.runToEnd(run).path("output").asInt()).isEqualTo(1);
            awaitNobodyOn(servers);
        }
    }

    private static void awaitNobodyOn(ReplicatedServer servers) {
        Await.until(
                "the old primary has no connections",
                MOVE_LIMIT,
                () -> ReplicatedServer.connections(servers.primary()) == 0,
                () -> ReplicatedServer.connections(servers.primary()) + " connections");
    }
}
