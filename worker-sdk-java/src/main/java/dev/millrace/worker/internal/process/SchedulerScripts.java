package dev.millrace.worker.internal.process;

import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Scripts from the scheduler. Waits for the connection where there is none, within a limit. */
public final class SchedulerScripts implements ScriptSource {
    static final Duration FETCH_TIMEOUT = Duration.ofSeconds(30);
    static final Duration RETRY_DELAY = Duration.ofMillis(200);

    private final ScriptServiceGrpc.ScriptServiceBlockingStub scripts;

    public SchedulerScripts(Channel channel) {
        this.scripts = ScriptServiceGrpc.newBlockingStub(channel).withWaitForReady();
    }

    @Override
    public Script fetch(ScriptKey key) {
        GetScriptRequest request = GetScriptRequest.newBuilder()
                .setWorkspace(key.workspace())
                .setHash(key.hash())
                .build();
        Deadline deadline = Deadline.after(FETCH_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        while (true) {
            try {
                return scripts.withDeadline(deadline).getScript(request).getScript();
            } catch (StatusRuntimeException e) {
                Status status = e.getStatus();
                if (status.getCode() == Status.Code.NOT_FOUND) {
                    throw new LoadException(
                            "The script version " + key.hash()
                                    + " does not exist: the scheduler has none with this hash.",
                            false);
                }
                if (status.getCode() != Status.Code.UNAVAILABLE || deadline.isExpired()) {
                    throw new LoadException.Unavailable(
                            "The script version " + key.hash() + " could not be fetched: " + status + ".");
                }
                pause(key);
            }
        }
    }

    /** The scheduler has gone away in the middle of a call; it may be back in a moment. */
    private static void pause(ScriptKey key) {
        try {
            Thread.sleep(RETRY_DELAY.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException.Unavailable(
                    "The worker stopped while it fetched the script version " + key.hash() + ".");
        }
    }
}
