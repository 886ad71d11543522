package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.ReplicatedServer;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code millrace doctor} says about a primary and its standby, before and after a failover. */
@Tag("nightly")
final class ExaminedServersTest {
    private final Cli cli = new Cli(Map.of());

    @Test
    void seesWhichServerIsThePrimaryAndWhetherAStandbyFollows() {
        try (ReplicatedServer servers = ReplicatedServer.start()) {
            assertThat(examine(servers)).contains("All 2 servers answer").contains("Attached: standby (sync");

            servers.standby().kill();
            assertThat(examine(servers)).contains("does not answer").contains("no commit ends");

            servers.standby().restart();
            servers.promote();
            assertThat(examine(servers))
                    .contains("accepts writes, but is an old primary: it writes timeline 1")
                    .contains("has replaced it with timeline 2");

            servers.primary().kill();
            servers.standby().kill();
            assertThat(examine(servers)).contains("none of its 2 servers answers");
        }
    }

    private String examine(ReplicatedServer servers) {
        Cli.Outcome said =
                cli.run("doctor", "--database", servers.databaseOfLibpq().jdbcUrl(), "--output", "json");
        return String.join(
                "\n",
                StreamSupport.stream(Json.parse(said.output()).path("findings").spliterator(), false)
                        .map(finding -> finding.path("text").asText())
                        .toList());
    }
}
