package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.job.v1.GetRunRequest;
import dev.millrace.proto.job.v1.JobSpec;
import dev.millrace.proto.job.v1.JobTarget;
import dev.millrace.proto.job.v1.ListRunsRequest;
import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.job.v1.SubmitJobsRequest;
import dev.millrace.proto.job.v1.SubmitRunRequest;
import dev.millrace.proto.job.v1.WatchRunRequest;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs that others start, that wait for their turn or that take too long, in a scheduler that does it by itself. */
class RunStartsTest {
    private static RunningScheduler scheduler;

    @BeforeAll
    static void start() {
        scheduler = new RunningScheduler();
    }

    @AfterAll
    static void stop() {
        scheduler.close();
    }

    @Test
    void startsAnotherRunAndDoesNotWaitForIt() {
        deploy("""
                millrace: v1
                name: child
                inputs: {x: {type: integer}}
                steps: [{id: a, value: "${{ inputs.x + 1 }}"}]
                """);
        deploy("""
                millrace: v1
                name: parent
                steps:
                  - {id: begin, start: {flow: child, input: {x: 1}}}
                output: ${{ steps.begin.result.run_id }}
                """);

        Run parent = run("parent");
        Run child = end(parent.getOutput().toStringUtf8().replace("\"", ""));

        assertThat(child.getOutput().toStringUtf8()).isEqualTo("2");
        assertThat(child.getOrigin().getRunId()).isEqualTo(parent.getId());
        assertThat(child.getOrigin().getRelation()).isEqualTo("start_run");
        assertThat(child.getOrigin().getStepKey()).isEqualTo("begin");
    }

    @Test
    void startsTheFailureFlowOfARunThatFailed() {
        deploy("""
                millrace: v1
                name: tidy
                open_inputs: true
                steps: [{id: a, value: "${{ inputs.error.message }}"}]
                """);
        deploy("""
                millrace: v1
                name: fails
                failure_flow: tidy
                steps: [{id: a, value: 1, stop: {when: true, error: "no luck"}}]
                """);

        Run failed = run("fails");

        assertThat(failed.getState()).isEqualTo(Run.State.STATE_FAILED);
        Run tidied = end(only("tidy").getId());
        assertThat(tidied.getOutput().toStringUtf8()).contains("no luck");
        assertThat(tidied.getOrigin().getRunId()).isEqualTo(failed.getId());
    }

    @Test
    void endsARunThatTakesLongerThanItsFlowAllows() {
        deploy("""
                millrace: v1
                name: slow
                timeout: 200ms
                steps: [{id: a, handler: nobody}]
                """);

        Run run = run("slow");

        assertThat(run.getState()).isEqualTo(Run.State.STATE_FAILED);
        assertThat(run.getError().getName()).isEqualTo("TimedOut");
        assertThat(run.getError().getMessage()).isEqualTo("The run took longer than its flow allows (0.2s).");
    }

    @Test
    void letsRunsTakeTurnsUnderALimit() {
        deploy("""
                millrace: v1
                name: turns
                concurrency: {max: 1, key: "${{ inputs.key }}"}
                inputs: {key: {type: string}}
                steps: [{id: a, wait: {for: 20ms}}, {id: b, value: 1}]
                """);
        SubmitJobsRequest.Builder request = SubmitJobsRequest.newBuilder();
        for (int i = 0; i < 6; i++) {
            request.addSpecs(JobSpec.newBuilder()
                    .setTarget(JobTarget.newBuilder().setFlowPath("turns"))
                    .setInput(ByteString.copyFromUtf8("{\"key\":\"k" + i % 2 + "\"}")));
        }

        List<String> runs = scheduler.runs().submitJobs(request.build()).getRunIdsList();

        assertThat(runs).allSatisfy(run -> assertThat(end(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED));
    }

    @Test
    void letsRunsBeginAsARateAllows() {
        deploy("""
                millrace: v1
                name: rated
                concurrency: {rate: {count: 2, per: 300ms}}
                steps: [{id: a, value: 1}]
                """);
        SubmitJobsRequest.Builder request = SubmitJobsRequest.newBuilder();
        for (int i = 0; i < 5; i++) {
            request.addSpecs(
                    JobSpec.newBuilder().setTarget(JobTarget.newBuilder().setFlowPath("rated")));
        }

        List<String> runs = scheduler.runs().submitJobs(request.build()).getRunIdsList();

        assertThat(runs).allSatisfy(run -> assertThat(end(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED));
        Timestamp first = end(runs.getFirst()).getEndTime();
        Timestamp last = end(runs.getLast()).getEndTime();
        assertThat(java.time.Duration.between(instant(first), instant(last)))
                .as("a second pair stands between them")
                .isGreaterThan(java.time.Duration.ofMillis(500));
    }

    private static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    private static void deploy(String definition) {
        scheduler
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());
    }

    private static Run run(String path) {
        return scheduler
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(JobSpec.newBuilder()
                                .setTarget(JobTarget.newBuilder().setFlowPath(path)))
                        .setWait(Duration.newBuilder().setSeconds(20))
                        .build())
                .getRun();
    }

    /** The run once it has ended. */
    private static Run end(String run) {
        scheduler
                .runs()
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build())
                .forEachRemaining(_ -> {});
        return scheduler
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }

    private static Run only(String path) {
        return scheduler.runs().listRuns(ListRunsRequest.getDefaultInstance()).getRunsList().stream()
                .filter(run -> run.getName().equals(path))
                .findFirst()
                .orElseThrow();
    }
}
