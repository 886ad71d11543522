package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunOrigin;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests runs that others start, that wait for their turn, or that take too long, in a running scheduler. */
class PendingRunStarterTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);

    /** Inserts a version that this scheduler has not read yet. */
    private static final String ANOTHER_VERSION_OF_LATER = """
            with copy as (
                insert into flow (hash, dialect, file_name, definition, scripts)
                select repeat('f', 64), dialect, file_name, definition, scripts
                from flow where hash = (select hash from flow_path where path = 'later')
                returning hash
            )
            update flow_path set hash = copy.hash from copy where path = 'later'
            """;

    @Test
    void startsAnotherRunWithoutWaitingForIt() {
        FLOWS.deploy("""
                millrace: v1
                name: child
                inputs: {x: {type: integer}}
                steps: [{id: a, value: "${{ inputs.x + 1 }}"}]
                """);
        FLOWS.deploy("""
                millrace: v1
                name: parent
                steps:
                  - {id: begin, start: {flow: child, input: {x: 1}}}
                output: ${{ steps.begin.result.run_id }}
                """);

        Run parent = FLOWS.run("parent");
        Run child = FLOWS.end(parent.getOutput().toStringUtf8().replace("\"", ""));

        assertThat(child.getOutput().toStringUtf8()).isEqualTo("2");
        assertThat(child.getOrigin().getRunId()).isEqualTo(parent.getId());
        assertThat(child.getOrigin().getRelation()).isEqualTo(RunOrigin.Relation.RELATION_START_RUN);
        assertThat(child.getOrigin().getStep()).isEqualTo("begin");
    }

    @Test
    void neitherFailsNorDelaysRunsIfTheDatabaseFailsWhileOneStarts() {
        FLOWS.deploy("{millrace: v1, name: later, steps: [{id: a, value: 1}]}");
        FLOWS.deploy("{millrace: v1, name: ready, steps: [{id: a, value: 1}]}");
        for (String child : List.of("later", "ready")) {
            FLOWS.deploy("""
                    millrace: v1
                    name: starts-%s
                    inputs: {go: {type: boolean}}
                    steps: [{id: begin, if: inputs.go, start: {flow: %s}}]
                    output: ${{ steps.begin.result.run_id }}
                    """.formatted(child, child));
            FLOWS.end(FLOWS.submit("starts-" + child, "{\"go\": false}"));
        }
        FLOWS.run("ready");
        String later;
        SCHEDULER.database().execute(ANOTHER_VERSION_OF_LATER);
        SCHEDULER.database().execute("alter table flow rename to flow_away");
        try {
            later = started("starts-later");
            Run ready = FLOWS.end(started("starts-ready"));

            assertThat(ready.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
            assertThat(FLOWS.get(later).getState()).isEqualTo(Run.State.STATE_QUEUED);
        } finally {
            SCHEDULER.database().execute("alter table flow_away rename to flow");
        }
        assertThat(FLOWS.end(later).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
    }

    /** Returns the id of the run that a run of this flow has started. */
    private static String started(String flow) {
        Run parent = FLOWS.end(FLOWS.submit(flow, "{\"go\": true}"));
        return parent.getOutput().toStringUtf8().replace("\"", "");
    }

    /** The scheduler that has accepted the run was killed before it made the first decision. */
    @Test
    void beginsARunThatItsSchedulerHasLeftUndecided() {
        FLOWS.deploy("""
                millrace: v1
                name: left
                steps: [{id: a, value: "${{ 20 + 1 }}"}, {id: b, value: "${{ steps.a.result * 2 }}"}]
                """);
        String run = FLOWS.end(FLOWS.submit("left")).getId();
        // The end of the id stays, as it is the bucket.
        String left = run.substring(0, 20) + "fff" + run.substring(23);
        SCHEDULER.database().execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                    timeout_millis, input, created_at)
                select bucket, '%s', '%s', workspace, kind, target, name, '', 'flow', 0, 1, 7, 3600000, '{}', now() - interval '1 minute'
                from job_history where id = '%s'
                """.formatted(left, left, run));

        assertThat(FLOWS.end(left).getOutput().toStringUtf8()).isEqualTo("42");
    }

    @Test
    void startsTheFailureFlowOfARunThatFailed() {
        FLOWS.deploy("""
                millrace: v1
                name: tidy
                open_inputs: true
                steps: [{id: a, value: "${{ inputs.error.message }}"}]
                """);
        FLOWS.deploy("""
                millrace: v1
                name: fails
                failure_flow: tidy
                steps: [{id: a, value: 1, stop: {when: true, error: "no luck"}}]
                """);

        Run failed = FLOWS.run("fails");

        assertThat(failed.getState()).isEqualTo(Run.State.STATE_FAILED);
        Run tidied = FLOWS.end(only("tidy"));
        assertThat(tidied.getOutput().toStringUtf8()).contains("no luck");
        assertThat(tidied.getOrigin().getRunId()).isEqualTo(failed.getId());
    }

    @Test
    void endsARunThatTakesLongerThanItsFlowAllows() {
        FLOWS.deploy("""
                millrace: v1
                name: slow
                timeout: 200ms
                steps: [{id: a, handler: nobody}]
                """);

        Run run = FLOWS.run("slow");

        assertThat(run.getState()).isEqualTo(Run.State.STATE_FAILED);
        assertThat(run.getError().getName()).isEqualTo("TimedOut");
        assertThat(run.getError().getMessage()).isEqualTo("The run took longer than its flow allows (0.2s).");
    }

    @Test
    void letsRunsTakeTurnsUnderALimit() {
        FLOWS.deploy("""
                millrace: v1
                name: turns
                concurrency: {max: 1, key: "${{ inputs.key }}"}
                inputs: {key: {type: string}}
                steps: [{id: a, wait: {for: 20ms}}, {id: b, value: 1}]
                """);
        SubmitRunsRequest.Builder request = SubmitRunsRequest.newBuilder();
        for (int i = 0; i < 6; i++) {
            request.addSpecs(RunSpec.newBuilder()
                    .setTarget(RunTarget.newBuilder().setFlowPath("turns"))
                    .setInput(ByteString.copyFromUtf8("{\"key\":\"k" + i % 2 + "\"}")));
        }

        List<String> runs = SCHEDULER.runs().submitRuns(request.build()).getRunIdsList();

        assertThat(runs).allSatisfy(run -> assertThat(FLOWS.end(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED));
    }

    @Test
    void beginsRunsAtTheirRate() {
        FLOWS.deploy("""
                millrace: v1
                name: rated
                concurrency: {rate: {count: 2, per: 300ms}}
                steps: [{id: a, value: 1}]
                """);
        SubmitRunsRequest.Builder request = SubmitRunsRequest.newBuilder();
        for (int i = 0; i < 5; i++) {
            request.addSpecs(
                    RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowPath("rated")));
        }

        List<String> runs = SCHEDULER.runs().submitRuns(request.build()).getRunIdsList();

        assertThat(runs).allSatisfy(run -> assertThat(FLOWS.end(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED));
        Timestamp first = FLOWS.end(runs.getFirst()).getEndTime();
        Timestamp last = FLOWS.end(runs.getLast()).getEndTime();
        assertThat(Duration.between(instant(first), instant(last)))
                .as("a second pair stands between them")
                .isGreaterThan(Duration.ofMillis(500));
    }

    private static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    private static Run only(String path) {
        return SCHEDULER.runs().listRuns(ListRunsRequest.getDefaultInstance()).getRunsList().stream()
                .filter(run -> run.getName().equals(path))
                .findFirst()
                .orElseThrow();
    }
}
