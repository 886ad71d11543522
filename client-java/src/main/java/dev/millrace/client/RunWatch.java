package dev.millrace.client;

import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import java.util.Optional;

/** Makes the call for the events of a run. */
@FunctionalInterface
interface RunWatch {
    /** The call for what comes after a position of the log. An event is empty if this client does not know its kind. */
    Call<WatchRunRequest, WatchRunResponse, Optional<RunEvent>> after(long position);
}
