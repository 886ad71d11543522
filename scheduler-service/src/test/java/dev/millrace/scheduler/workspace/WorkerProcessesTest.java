package dev.millrace.scheduler.workspace;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import dev.millrace.scheduler.testing.HandlerWorker;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests which processes of workers a caller sees, and what reports a scheduler accepts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerProcessesTest {
    private final WorkspaceCalls calls;

    WorkerProcessesTest(@TempDir Path folder) {
        calls = new WorkspaceCalls(folder);
    }

    @AfterAll
    void stop() {
        calls.close();
    }

    @Test
    void callersSeeTheProcessesOfScriptsThatTheyMayRead() throws InterruptedException {
        String one = calls.create(false);
        String other = calls.create(false);
        ScriptProcess plain = process(one, deploy(one, "plain.py"));
        ScriptProcess secret = process(one, deploy(one, "secret/key.py"));
        ScriptProcess nameless = process(one, "0".repeat(64));
        ScriptProcess foreign = process(other, deploy(other, "foreign.py"));
        try (HandlerWorker worker = calls.worker(calls.workerToken(), "reports-all");
                HandlerWorker liar = calls.worker(calls.workerToken(one), "reports-lies")) {
            worker.welcome();
            liar.welcome();
            worker.report(ProcessReport.newBuilder()
                    .addAllProcesses(List.of(plain, secret, nameless, foreign))
                    .setLeftOff(7)
                    .build());
            liar.report(ProcessReport.newBuilder().addProcesses(foreign).build());
            assertThat(worker.answer().hasProcesses())
                    .as("the answer does not repeat the report")
                    .isFalse();
            liar.answer();
            awaitStored();

            assertThat(scripts(calls.owner())).containsExactlyInAnyOrder("plain.py", "secret/key.py", "", "foreign.py");
            assertThat(scripts(calls.user(one, Role.ROLE_VIEWER)))
                    .containsExactlyInAnyOrder("plain.py", "secret/key.py", "");
            assertThat(scripts(calls.userOfFolder(one, "secret", Role.ROLE_VIEWER)))
                    .containsExactly("secret/key.py");
            assertThat(scripts(calls.user(other, Role.ROLE_VIEWER))).containsExactly("foreign.py");
            assertThat(leftOff(calls.owner())).isEqualTo(7);
            assertThat(leftOff(calls.user(one, Role.ROLE_VIEWER))).isZero();
            assertThat(workers(calls.owner(), false))
                    .as("without being asked for")
                    .allSatisfy(each -> assertThat(each.getProcessesList()).isEmpty());
        }
    }

    @Test
    void refusesReportsThatListsCannotShow() {
        assertRefused(ProcessReport.newBuilder()
                .addAllProcesses(IntStream.rangeClosed(0, 100)
                        .mapToObj(_ -> process("default", "0".repeat(64)))
                        .toList()));
        assertRefused(ProcessReport.newBuilder().addProcesses(process("default", "a\0b")));
        assertRefused(ProcessReport.newBuilder()
                .addProcesses(process("default", "0".repeat(64)).toBuilder().setLanguage("\u001b[2J")));
        ScriptProcess.Builder late = process("default", "0".repeat(64)).toBuilder();
        late.getStartTimeBuilder().setSeconds(Long.MAX_VALUE);
        assertRefused(ProcessReport.newBuilder().addProcesses(late));
    }

    private void assertRefused(ProcessReport.Builder report) {
        try (HandlerWorker worker = calls.worker(calls.workerToken(), "reports-nonsense")) {
            worker.welcome();
            worker.report(report.build());
            assertThat(code((StatusRuntimeException) worker.end())).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    /** Waits until the keeper of sessions has stored the report, which sends no event. */
    private void awaitStored() {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (scripts(calls.owner()).isEmpty()) {
            assertThat(System.nanoTime()).as("time until the report is stored").isLessThan(deadlineNanos);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private String deploy(String workspace, String path) {
        return ScriptServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .deployScript(DeployScriptRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setPath(path)
                        .setContent(ByteString.copyFromUtf8("def main(): return '" + path + "'"))
                        .build())
                .getScript()
                .getHash();
    }

    private static ScriptProcess process(String workspace, String hash) {
        return ScriptProcess.newBuilder()
                .setWorkspace(workspace)
                .setScriptHash(hash)
                .setScriptPath("claimed.py")
                .setLanguage("python")
                .setState(ScriptProcess.State.STATE_IDLE)
                .build();
    }

    private List<Worker> workers(String token, boolean processes) {
        return WorkerServiceGrpc.newBlockingStub(calls.with(token))
                .listWorkers(
                        ListWorkersRequest.newBuilder().setProcesses(processes).build())
                .getWorkersList();
    }

    private List<String> scripts(String token) {
        return workers(token, true).stream()
                .flatMap(worker -> worker.getProcessesList().stream())
                .map(ScriptProcess::getScriptPath)
                .toList();
    }

    private int leftOff(String token) {
        return workers(token, true).stream()
                .mapToInt(Worker::getProcessesLeftOff)
                .sum();
    }
}
