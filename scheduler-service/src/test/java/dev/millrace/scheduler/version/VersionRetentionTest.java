package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.flow.v1.DeleteFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.operation.v1.OperationServiceGrpc;
import dev.millrace.proto.operation.v1.RestartRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.scheduler.config.RetentionConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.retention.Retention;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import dev.millrace.scheduler.testing.Sweep;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that versions of flows and scripts are deleted once nobody has used them for a long time. */
class VersionRetentionTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);
    private static final Database DATABASE = SCHEDULER.open();
    private static final int RACES = 40;

    @Test
    void collectsReplacedVersionsWithTheirScripts() {
        String first = deploy("replaced", "steps: [{id: x, script: own.py}]", "def main(): return 'first'");
        String script = DATABASE.run(
                sql -> sql.fetchSingle("select scripts -> 'own.py' ->> 'hash' from flow where hash = ?", first)
                        .get(0, String.class));
        String second = deploy("replaced", "steps: [{id: x, script: own.py}]", "def main(): return 'second'");

        age("89 days");
        sweep();
        assertThat(hashes("flow")).contains(first);
        age("91 days");
        sweep();

        assertThat(hashes("flow")).doesNotContain(first).contains(second);
        assertThat(hashes("flow_version")).doesNotContain(first).contains(second);
        assertThat(hashes("script")).doesNotContain(script);
        assertThat(hashes("script_version")).doesNotContain(script);
        assertThat(reason(catchThrowableOfType(StatusRuntimeException.class, () -> submit(first))))
                .isEqualTo("FLOW_NOT_FOUND");
        assertThat(deploy("replaced", "steps: [{id: x, script: own.py}]", "def main(): return 'first'"))
                .isEqualTo(first);
    }

    @Test
    void collectsTextsOfFilesThatNoVersionHas() {
        deployScript("texts.py", "def main(): return 'old text'");
        deployScript("texts.py", "def main(): return 'new text'");

        age("91 days");
        sweep();

        List<String> kept =
                DATABASE.run(sql -> sql.fetch("select content from file_content where content like '%text%'")
                        .getValues(0, String.class));
        assertThat(kept).containsExactly("def main(): return 'new text'");
    }

    @Test
    void keepsVersionsThatRunsHave() {
        String live = unpublished("live", "steps: [{id: x, handler: nobody}]");
        String delayed = unpublished("delayed", "steps: [{id: x, value: delayed}]");
        String ended = unpublished("ended", "steps: [{id: x, value: ended}]");
        submit(live);
        submit(RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowHash(delayed))
                .setRunAfter(Timestamp.newBuilder()
                        .setSeconds(Instant.now().plus(Duration.ofDays(1)).getEpochSecond()))
                .build());
        Run run = FLOWS.end(submit(ended));

        age("1000 days");
        sweep();

        assertThat(hashes("flow")).contains(live, delayed, ended);
        Run again = OperationServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .restartRun(RestartRunRequest.newBuilder().setRunId(run.getId()).build())
                .getRun();
        assertThat(FLOWS.end(again).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);

        DATABASE.run(sql -> sql.execute("delete from job_history where target = ?", ended));
        sweep();
        assertThat(hashes("flow")).contains(live, delayed).doesNotContain(ended);
    }

    @Test
    void keepsVersionsThatOthersName() {
        deployScript("named.py", "def main(): return 'named'");
        String script = current("script_path", "named.py");
        String inner = deploy("inner", "steps: [{id: x, script: named.py}]");
        deploy("outer", "steps: [{id: x, flow: inner}]");
        deploy("inner", "steps: [{id: x, value: other}]");
        deployScript("named.py", "def main(): return 'other'");

        age("1000 days");
        sweep();
        assertThat(hashes("flow")).contains(inner);
        assertThat(hashes("script")).contains(script);

        deploy("outer", "steps: [{id: x, value: outer}]");
        for (int depth = 0; depth < 3; depth++) {
            age("1000 days");
            sweep();
        }
        assertThat(hashes("flow")).doesNotContain(inner);
        assertThat(hashes("script")).doesNotContain(script);
    }

    @Test
    void keepsAVersionForLongAfterItsLastUse() {
        String byHash = unpublished("by-hash", "steps: [{id: x, value: by-hash}]");
        String lately = deploy("lately", "steps: [{id: x, value: lately}]");
        age("1000 days");
        DATABASE.run(sql -> sql.execute("delete from job_history where target = ?", byHash));
        Run run = FLOWS.end(submit(byHash));
        DATABASE.run(sql -> sql.execute("delete from job_history where run_id = ?::uuid", run.getId()));
        deploy("lately", "steps: [{id: x, value: replaced just now}]");

        sweep();

        assertThat(hashes("flow")).contains(byHash, lately);
    }

    @Test
    void keepsWhatWasUsedWithinTwoDaysWhateverTheSetting() {
        String fresh = unpublished("fresh", "steps: [{id: x, value: fresh}]");
        DATABASE.run(sql -> sql.execute("update flow set used_at = now() - interval '47 hours' where hash = ?", fresh));
        RetentionConfig brief = new RetentionConfig(Map.of("millrace.retention.versions", Duration.ofSeconds(1)));
        try (Retention retention = new Retention(DATABASE, brief, List.of(VersionRetention.FLOWS))) {
            DATABASE.run(sql -> sql.execute("update retention_sweep set due_at = now()"));
            retention.runOnce();
        }

        assertThat(hashes("flow")).contains(fresh);
    }

    /**
     * A version that is deployed again while it is being collected exists afterwards, and the deployment never fails.
     */
    @Test
    void neverLosesAVersionThatIsDeployedMeanwhile() {
        for (int race = 0; race < RACES; race++) {
            String flow = "again" + race;
            String definition = "steps: [{id: x, value: \"" + flow + "\"}]";
            String script = "again" + race + ".py";
            String content = "def main(): return '" + script + "'";
            String hash = deploy(flow, definition);
            deploy(flow, "steps: [{id: x, value: 1}]");
            deployScript(script, content);
            deployScript(script, "def main(): return 1");
            age("1000 days");

            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Void> swept = begin(start, () -> {
                sweep();
                return null;
            });
            CompletableFuture<String> deployed = begin(start, () -> {
                String again = deploy(flow, definition);
                deployScript(script, content);
                return again;
            });
            swept.join();

            assertThat(deployed.join()).isEqualTo(hash).isEqualTo(current("flow_path", flow));
            assertThat(hashes("flow")).contains(hash);
            assertThat(hashes("flow_version")).contains(hash);
            assertThat(hashes("script")).contains(current("script_path", script));
            assertThat(FLOWS.run(flow).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        }
    }

    /**
     * A run may be submitted by the hash of its version while that version is being collected. Either the run is
     * rejected, or the version stays.
     */
    @Test
    void neverTakesTheVersionOfARunThatIsSubmittedMeanwhile() {
        for (int race = 0; race < RACES; race++) {
            String hash = unpublished("hashed" + race, "steps: [{id: x, handler: nobody" + race + "}]");
            age("1000 days");

            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Void> swept = begin(start, () -> {
                sweep();
                return null;
            });
            CompletableFuture<Optional<Run>> submitted = begin(start, () -> {
                try {
                    return Optional.of(submit(hash));
                } catch (StatusRuntimeException refused) {
                    assertThat(reason(refused)).isEqualTo("FLOW_NOT_FOUND");
                    return Optional.empty();
                }
            });
            swept.join();

            boolean isAccepted = submitted.join().isPresent();
            assertThat(hashes("flow").contains(hash)).as("race %s", race).isEqualTo(isAccepted);
        }
    }

    private static <T> CompletableFuture<T> begin(CyclicBarrier start, Supplier<T> action) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        start.await();
                    } catch (Exception broken) {
                        throw new AssertionError(broken);
                    }
                    return action.get();
                },
                Thread::startVirtualThread);
    }

    /** Makes all versions look as if they had not been used for the given time. */
    private static void age(String time) {
        // Runs that read signatures keep their versions. Here they find no worker, which ends them after a day.
        DATABASE.run(sql -> sql.execute("delete from job_queue where tag like 'schema:%'"));
        for (String table : List.of("flow", "script", "file_content")) {
            DATABASE.run(sql ->
                    sql.execute("update " + table + " set used_at = least(used_at, now() - interval '" + time + "')"));
        }
    }

    private static void sweep() {
        Sweep.now(DATABASE, VersionRetention.FLOWS, VersionRetention.SCRIPTS, VersionRetention.FILE_CONTENTS);
    }

    private static List<String> hashes(String table) {
        return DATABASE.run(sql -> sql.fetch("select hash from " + table).getValues(0, String.class));
    }

    private static String current(String table, String path) {
        return DATABASE.run(sql -> sql.fetchSingle("select hash from " + table + " where path = ?", path)
                .get(0, String.class));
    }

    /** Deploys a version to which no path refers. */
    private static String unpublished(String path, String definition) {
        String hash = deploy(path, definition);
        var _ = SCHEDULER
                .flows()
                .deleteFlow(DeleteFlowRequest.newBuilder()
                        .setPath(path)
                        .setForce(true)
                        .build());
        return hash;
    }

    private static String deploy(String path, String definition) {
        return deploy(DeployFlowRequest.newBuilder(), path, definition);
    }

    private static String deploy(String path, String definition, String ownScript) {
        return deploy(
                DeployFlowRequest.newBuilder()
                        .addFiles(
                                FlowFile.newBuilder().setPath("own.py").setContent(ByteString.copyFromUtf8(ownScript))),
                path,
                definition);
    }

    private static String deploy(DeployFlowRequest.Builder request, String path, String definition) {
        return SCHEDULER
                .flows()
                .deployFlow(request.setPath(path)
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("millrace: v1\n" + definition))
                        .build())
                .getFlow()
                .getHash();
    }

    /** Deploys a script with a file of the same text. */
    private static void deployScript(String path, String content) {
        ByteString text = ByteString.copyFromUtf8(content);
        var _ = SCHEDULER
                .scripts()
                .deployScript(DeployScriptRequest.newBuilder()
                        .setPath(path)
                        .setContent(text)
                        .addFiles(ScriptFile.newBuilder().setPath("module.py").setContent(text))
                        .build());
    }

    private static Run submit(String flowHash) {
        return submit(RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowHash(flowHash))
                .build());
    }

    private static Run submit(RunSpec spec) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder().setSpec(spec).build())
                .getRun();
    }
}
