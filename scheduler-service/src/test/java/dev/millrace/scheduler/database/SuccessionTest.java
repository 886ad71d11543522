package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuccessionTest {
    private static final long CLUSTER = 7;

    private final Succession succession = new Succession();
    private final List<String> ended = new ArrayList<>();

    @Test
    void refusesAPrimaryThatAnotherHasReplaced() throws SQLException {
        admit("first", 1);
        admit("promoted", 2);

        assertThatThrownBy(() -> admit("returned", 1))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("old primary: it writes timeline 1, but timeline 2 has replaced it");
        admit("again", 2);
    }

    @Test
    void endsConnectionsToThePrimaryThatWasReplaced() throws SQLException {
        admit("a", 1);
        Succession.Link closed = link("closed");
        succession.admit(new ServerLineage(CLUSTER, 1), closed);
        succession.closed(closed);

        succession.observe(new ServerLineage(CLUSTER, 2));
        admit("b", 2);
        succession.observe(new ServerLineage(CLUSTER, 2));
        succession.observe(new ServerLineage(CLUSTER, 1));

        assertThat(ended).containsExactly("a");
    }

    @Test
    void refusesAnotherCluster() throws SQLException {
        admit("ours", 3);

        succession.observe(new ServerLineage(CLUSTER + 1, 9));

        assertThat(ended).isEmpty();
        assertThatThrownBy(() -> succession.admit(new ServerLineage(CLUSTER + 1, 9), link("theirs")))
                .hasMessageContaining("belongs to another Postgres cluster")
                .hasMessageContaining("restart the scheduler");
    }

    private void admit(String name, long timeline) throws SQLException {
        succession.admit(new ServerLineage(CLUSTER, timeline), link(name));
    }

    private Succession.Link link(String name) {
        return () -> ended.add(name);
    }
}
