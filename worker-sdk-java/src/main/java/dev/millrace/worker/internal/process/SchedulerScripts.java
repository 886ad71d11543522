package dev.millrace.worker.internal.process;

import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import io.grpc.Channel;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Source of scripts that fetches them from the scheduler. It waits a limited time for a connection. */
public final class SchedulerScripts implements ScriptSource {
    static final Duration FETCH_TIMEOUT = Duration.ofSeconds(30);
    static final Duration RETRY_DELAY = Duration.ofMillis(200);

    /** Ends of calls that are repeated. A token that has been refused may be replaced by a new one. */
    private static final Set<Status.Code> AWAY = EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.UNAUTHENTICATED);

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
                if (!AWAY.contains(status.getCode()) || deadline.isExpired()) {
                    throw new LoadException.Unavailable(
                            "The script version " + key.hash() + " could not be fetched: " + status + ".");
                }
                pause(key);
            }
        }
    }

    /** Waits before a retry: the scheduler went away during a call, and may be back soon. */
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
