package dev.millrace.scheduler.run.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run.State;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Finds runs by the tags of their jobs. */
class TagSearchTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    private final RunSearches runs = new RunSearches(DATABASE, new StartedJobs());

    @Test
    void findsRunsByTheTagOfTheRootJob() {
        ended("roots", 1, 1, "", "gpu");
        ended("roots", 2, 2, "", "python");
        live("roots", 3, 3, "", "gpu", "null");
        live("roots", 4, 4, "", "python", "null");

        assertThat(names("roots", tagged("gpu"))).containsExactly("run 3", "run 1");
        assertThat(names("elsewhere", tagged("gpu"))).isEmpty();
        assertThat(names("roots", tagged("gp"))).isEmpty();
    }

    @Test
    void findsRunsByTheTagOfAStep() {
        ended("steps", 1, 1, "", "flow");
        ended("steps", 1, 2, "train", "gpu");
        ended("steps", 3, 3, "", "flow");
        ended("steps", 3, 4, "train", "python");
        live("steps", 5, 5, "", "flow", "null");
        live("steps", 5, 6, "train", "gpu", "null");
        live("steps", 7, 7, "", "flow", "null");
        ended("steps", 7, 8, "train", "gpu");

        assertThat(names("steps", tagged("gpu"))).containsExactly("run 7", "run 5", "run 1");
    }

    @Test
    void knowsTheTagsOfWorkspacesAndOfJobsThatWaitInLine() {
        ended("routed", 1, 1, "", "~routed/gpu");
        live("routed", 2, 2, "", "@limit/routed/x", "'gpu'");
        ended("routed", 3, 3, "", "~other/gpu");

        assertThat(names("routed", tagged("gpu"))).containsExactly("run 2", "run 1");
    }

    @Test
    void combinesTheTagWithNameAndState() {
        ended("combined", 1, 1, "", "gpu");
        ended("combined", 2, 2, "", "gpu");
        live("combined", 3, 3, "", "gpu", "null");
        live("combined", 4, 4, "", "gpu", "null");

        assertThat(names("combined", tagged("gpu").setName("run 2"))).containsExactly("run 2");
        assertThat(names("combined", tagged("gpu").setName("run 4"))).containsExactly("run 4");
        assertThat(names("combined", tagged("gpu").addStates(State.STATE_QUEUED)))
                .containsExactly("run 4", "run 3");
        assertThat(names("combined", tagged("gpu").addStates(State.STATE_FAILED)))
                .isEmpty();
    }

    @Test
    void countsNoSearchByTag() {
        RunSearch search = SearchReader.read(tagged("gpu").build(), Optional.empty());

        assertThat(runs.count(Workspace.of("roots"), search)).isEmpty();
    }

    private static ListRunsRequest.Builder tagged(String tag) {
        return ListRunsRequest.newBuilder().setTag(tag);
    }

    private List<String> names(String workspace, ListRunsRequest.Builder request) {
        RunSearch search = SearchReader.read(request.build(), Optional.empty());
        return runs.list(Workspace.of(workspace), search, PageRequest.of(100, "")).runs().stream()
                .map(Run::name)
                .toList();
    }

    private static void ended(String workspace, int run, int job, String step, String tag) {
        POSTGRES.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, created_at,
                    ended_at)
                values (0, %s, %s, '%s', 2, 'h', 'run %d', '%s', '%s', 1, 1, now(), now())
                """.formatted(id(workspace, job), id(workspace, run), workspace, run, step, tag));
    }

    private static void live(String workspace, int run, int job, String step, String tag, String releasedTag) {
        POSTGRES.execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, released_tag, priority,
                    order_key, state, timeout_millis, input, created_at)
                values (0, %s, %s, '%s', 2, 'h', 'run %d', '%s', '%s', %s, 0, 1, 1, 1000, '{}', now())
                """.formatted(id(workspace, job), id(workspace, run), workspace, run, step, tag, releasedTag));
    }

    /** SQL of an id in bucket 0 that is greater for greater numbers. */
    private static String id(String workspace, int number) {
        return "(lpad(to_hex(1767225600000 + 1000::bigint * %d), 12, '0') || '7000' || substr(md5('%s'), 1, 12) || '0000')::uuid"
                .formatted(number, workspace);
    }
}
