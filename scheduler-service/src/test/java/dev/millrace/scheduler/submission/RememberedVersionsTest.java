package dev.millrace.scheduler.submission;

import static dev.millrace.scheduler.testing.RunningScheduler.violatedFields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests of a scheduler that remembers versions of paths while another scheduler deploys to them. The tests change the
 * database in place of the other scheduler.
 */
class RememberedVersionsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Database DATABASE = SCHEDULER.open();

    @Test
    void runsTheScriptVersionThatAnotherSchedulerDeployed() {
        String first = deployScript("a.py", "def main(): return 1");
        String second = deployScript("b.py", "def main(): return 2");
        assertThat(hash(submit(script("a.py")))).isEqualTo(first);

        leadElsewhere("script_path", "a.py", second);

        assertThat(hash(submit(script("a.py")))).isEqualTo(second);
        assertThat(hash(submit(script("a.py")))).isEqualTo(second);
    }

    @Test
    void runsTheFlowVersionThatAnotherSchedulerDeployed() {
        String first = deployFlow("one", "millrace: v1\nname: one\nsteps:\n  - id: s\n    handler: h\n");
        String second = deployFlow("two", "millrace: v1\nname: two\nsteps:\n  - id: t\n    handler: h\n");
        assertThat(hash(submit(flow("one", "{}")))).isEqualTo(first);

        leadElsewhere("flow_path", "one", second);

        assertThat(hash(submit(flow("one", "{}")))).isEqualTo(second);
    }

    @Test
    void acceptsAllRunsOfASubmissionOrNone() {
        deployScript("c.py", "def main(): return 3");
        String later = deployScript("d.py", "def main(): return 4");
        submit(script("c.py"));
        submit(script("d.py"));
        leadElsewhere("script_path", "c.py", later);
        long before = queued();

        List<String> runs = SCHEDULER
                .runs()
                .submitRuns(SubmitRunsRequest.newBuilder()
                        .addSpecs(script("d.py"))
                        .addSpecs(script("c.py"))
                        .build())
                .getRunIdsList();

        assertThat(runs).hasSize(2);
        assertThat(queued()).isEqualTo(before + 2);
    }

    @Test
    void checksInputsAgainstTheVersionThatIsCurrent() {
        deployFlow("strict", """
                millrace: v1
                name: strict
                input_schema:
                  type: object
                  required: [n]
                steps:
                  - id: s
                    handler: h
                """);
        String mild = deployFlow("mild", "millrace: v1\nname: mild\nsteps:\n  - id: m\n    handler: h\n");
        StatusRuntimeException refused =
                catchThrowableOfType(StatusRuntimeException.class, () -> submit(flow("strict", "{}")));
        assertThat(violatedFields(refused)).isNotEmpty();

        leadElsewhere("flow_path", "strict", mild);

        assertThat(hash(submit(flow("strict", "{}")))).isEqualTo(mild);
    }

    @Test
    void findsTheRunsOfARepeatedRequestThoughTheirVersionIsOutdated() {
        deployScript("e.py", "def main(): return 5");
        String later = deployScript("f.py", "def main(): return 6");
        SubmitRunRequest request = SubmitRunRequest.newBuilder()
                .setSpec(script("e.py"))
                .setRequestId("again")
                .build();
        Run first = SCHEDULER.runs().submitRun(request).getRun();
        leadElsewhere("script_path", "e.py", later);

        assertThat(SCHEDULER.runs().submitRun(request).getRun().getId()).isEqualTo(first.getId());
    }

    @Test
    void waitsForARunThatHadToBeSubmittedAgain() {
        deployFlow("slow", "millrace: v1\nname: slow\nsteps:\n  - id: s\n    handler: h\n");
        String quick = deployFlow(
                "quick", "millrace: v1\nname: quick\nsteps:\n  - id: q\n    value: 7\noutput: ${{ steps.q.result }}\n");
        leadElsewhere("flow_path", "slow", quick);

        Run run = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(flow("slow", "{}"))
                        .setWait(Duration.newBuilder().setSeconds(20))
                        .build())
                .getRun();

        assertThat(run.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(run.getOutput().toStringUtf8()).isEqualTo("7");
    }

    private static Run submit(RunSpec spec) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder().setSpec(spec).build())
                .getRun();
    }

    private static RunSpec script(String path) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setScriptPath(path))
                .build();
    }

    private static RunSpec flow(String path, String input) {
        return RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(path))
                .setInput(ByteString.copyFromUtf8(input))
                .build();
    }

    private static String deployScript(String path, String content) {
        return SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8(content))
                        .build())
                .getScript()
                .getHash();
    }

    private static String deployFlow(String path, String definition) {
        return SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(path)
                        .setFileName(path + ".yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build())
                .getFlow()
                .getHash();
    }

    private static String hash(Run run) {
        return DATABASE.run(dsl -> dsl.fetchSingle("select target from job_queue where id = ?::uuid", run.getId())
                .get(0, String.class));
    }

    private static long queued() {
        return DATABASE.run(
                dsl -> dsl.fetchSingle("select count(*) from job_queue").get(0, Long.class));
    }

    private static void leadElsewhere(String table, String path, String hash) {
        DATABASE.run(dsl -> dsl.execute("update " + table + " set hash = ? where path = ?", hash, path));
    }
}
