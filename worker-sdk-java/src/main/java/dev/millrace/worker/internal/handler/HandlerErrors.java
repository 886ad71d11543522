package dev.millrace.worker.internal.handler;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.worker.JobException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Converts what a handler throws into the error of its job. */
final class HandlerErrors {
    static final int FRAMES_MAX = 100;
    private static final String OUR_PACKAGE = HandlerErrors.class.getPackageName();

    private HandlerErrors() {}

    static JobError of(Throwable thrown) {
        JobError.Builder error = JobError.newBuilder().setStack(userFrames(thrown));
        if (thrown instanceof JobException named) {
            return error.setName(named.name())
                    .setMessage(String.valueOf(named.getMessage()))
                    .setRetryable(named.isRetryable())
                    .build();
        }
        return error.setName(thrown.getClass().getSimpleName())
                .setMessage(message(thrown))
                .setRetryable(true)
                .build();
    }

    private static String message(Throwable thrown) {
        String own = thrown.getMessage() == null ? "(no message)" : thrown.getMessage();
        Throwable cause = thrown.getCause();
        return cause == null ? own : own + " (caused by " + cause + ")";
    }

    /** Stack frames of user code, innermost last. */
    private static String userFrames(Throwable thrown) {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().startsWith(OUR_PACKAGE) || frames.size() == FRAMES_MAX) {
                break;
            }
            frames.add("at " + frame);
        }
        Collections.reverse(frames);
        return String.join("\n", frames);
    }
}
