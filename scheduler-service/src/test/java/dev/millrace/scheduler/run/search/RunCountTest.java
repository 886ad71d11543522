package dev.millrace.scheduler.run.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run.State;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunCountTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private final RunSearches runs = new RunSearches(POSTGRES.database(), new StartedJobs());

    @BeforeAll
    static void fillTable() {
        POSTGRES.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt,
                    error_name, error_message, error_stack, created_at, started_at, ended_at)
                select 0, id, id, 'default', 3, 'hash', case when n <= 40 then 'a/few' else 'b/many' end, '', 'flow', status, 1,
                    case when status = 2 then 'Error' end, case when status = 2 then 'wrong' end,
                    case when status = 2 then '' end, now(), now(), now()
                from (select n, case when n % 100 = 0 then 2 else 1 end as status, gen_random_uuid() as id
                    from generate_series(1, 10200) n) as made
                """);
    }

    @Test
    void countsRunsUpToALimit() {
        assertThat(count(ListRunsRequest.getDefaultInstance(), Optional.empty()))
                .contains(new RunCount(10_000, true));
        assertThat(count(ListRunsRequest.newBuilder().setName("a/few").build(), Optional.empty()))
                .contains(new RunCount(40, false));
        assertThat(count(
                        ListRunsRequest.newBuilder()
                                .addStates(State.STATE_FAILED)
                                .build(),
                        Optional.empty()))
                .contains(new RunCount(102, false));
        assertThat(count(
                        ListRunsRequest.newBuilder()
                                .addStates(State.STATE_RUNNING)
                                .build(),
                        Optional.empty()))
                .contains(new RunCount(0, false));
    }

    @Test
    void countsOnlyWhatTheCallerMaySee() {
        assertThat(count(ListRunsRequest.getDefaultInstance(), Optional.of(Set.of("a"))))
                .contains(new RunCount(40, false));
        assertThat(runs.count(
                        Workspace.of("other"),
                        SearchReader.read(ListRunsRequest.getDefaultInstance(), Optional.empty())))
                .contains(new RunCount(0, false));
    }

    @Test
    void countsNoSearchByPayloads() {
        assertThat(count(
                        ListRunsRequest.newBuilder()
                                .addAllInput(List.of("customer=42"))
                                .build(),
                        Optional.empty()))
                .isEmpty();
    }

    private Optional<RunCount> count(ListRunsRequest request, Optional<Set<String>> folders) {
        return runs.count(Workspace.of("default"), SearchReader.read(request, folders));
    }
}
