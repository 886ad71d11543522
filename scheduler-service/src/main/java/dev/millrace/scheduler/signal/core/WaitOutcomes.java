package dev.millrace.scheduler.signal.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides how a wait for events ends. */
final class WaitOutcomes {
    private static final int SHOWN_LENGTH_MAX = 200;

    private WaitOutcomes() {}

    /** Returns the outcome of a wait after the last of these signals; empty if the wait continues. */
    static Optional<Outcome> after(WaitSpec spec, List<RunSignal> received) {
        RunSignal last = received.getLast();
        if (last.kind() == SignalKind.DENY) {
            return Optional.of(denied(spec, received, last));
        }
        if (last.kind() == SignalKind.FAIL) {
            return Optional.of(new Outcome.Failed(JobError.permanent("TaskFailed", failureMessage(last))));
        }
        return received.size() < spec.required() ? Optional.empty() : Optional.of(succeeded(received, last, ""));
    }

    static Outcome timedOut(WaitSpec spec, List<RunSignal> received) {
        return switch (spec.onTimeout()) {
            case CONTINUE -> succeeded(received, received.isEmpty() ? null : received.getLast(), "\"timed_out\":true,");
            case FAIL ->
                new Outcome.Failed(JobError.permanent(
                        "TimedOut",
                        "The time limit of the wait expired after " + received.size() + " of " + spec.required()
                                + (spec.required() == 1 ? " event." : " events.")));
        };
    }

    private static Outcome denied(WaitSpec spec, List<RunSignal> received, RunSignal denial) {
        return switch (spec.onDenial()) {
            case CONTINUE -> succeeded(received, denial, "\"denied\":true,");
            case FAIL -> new Outcome.Failed(JobError.permanent("Denied", denialMessage(denial)));
        };
    }

    private static String failureMessage(RunSignal failure) {
        JsonValue payload = JsonValue.of(failure.payload());
        String by = failure.who().isEmpty() ? "" : " by " + failure.who();
        return payload.kind() == JsonValue.Kind.STRING && !payload.string().isBlank()
                ? payload.string()
                : "It was failed" + by + ".";
    }

    private static String denialMessage(RunSignal denial) {
        String by = denial.who().isEmpty() ? "" : " by " + denial.who();
        String payload = denial.payload().text();
        if (payload.equals("null")) {
            return "It was denied" + by + ".";
        }
        boolean isLong = payload.length() > SHOWN_LENGTH_MAX;
        return "It was denied" + by + ": " + (isLong ? payload.substring(0, SHOWN_LENGTH_MAX) + "…" : payload);
    }

    private static Outcome succeeded(List<RunSignal> received, @Nullable RunSignal last, String flag) {
        String payloads = received.stream()
                .filter(signal -> signal.kind() != SignalKind.DENY)
                .map(signal -> signal.payload().text())
                .collect(Collectors.joining(","));
        String approvers = received.stream()
                .filter(signal ->
                        signal.kind() != SignalKind.DENY && !signal.who().isEmpty())
                .map(signal -> JsonValue.ofString(signal.who()).toString())
                .collect(Collectors.joining(","));
        String payload = last == null ? "null" : last.payload().text();
        return new Outcome.Succeeded(new Json("{" + flag + "\"payload\":" + payload + ",\"payloads\":[" + payloads
                + "],\"approvers\":[" + approvers + "]}"));
    }
}
