package dev.millrace.scheduler.worker;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.proto.worker.v1.WorkerOccupancy;
import dev.millrace.scheduler.expression.Placeholders;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.SlotGroup;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.JsonNesting;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.telemetry.Traceparent;
import java.util.List;
import java.util.function.UnaryOperator;

/** Converts session messages to and from the types of the queue. */
final class SessionProtos {
    /** Maximum length of an error's name, in characters. Longer names, messages and stacks are truncated. */
    private static final int ERROR_NAME_MAX = 200;

    private static final int ERROR_MESSAGE_MAX = 16 << 10;
    private static final int ERROR_STACK_MAX = 64 << 10;
    /** Maximum nesting of arrays and objects in a result; the same as in the runtimes of scripts. */
    private static final int RESULT_DEPTH_MAX = 500;

    private static final long MILLIS_PER_SECOND = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final double PERCENT = 100;

    /** Maximum length of the reason why a slot group is paused, in characters. */
    private static final int PAUSE_REASON_MAX = 1_000;

    private SessionProtos() {}

    static Lease lease(LeaseReceiver.Delivery delivery, int lossesMax, Tracing tracing) {
        QueuedJob job = delivery.lease().job();
        long timeoutMillis = job.options().timeout().toMillis();
        String trace = tracing.contextOf(job);
        Lease.Builder lease = Lease.newBuilder()
                .setJobId(job.id().toString())
                .setLeaseToken(delivery.lease().token().value())
                .setAttempt(job.attempt())
                .setSlotGroup(delivery.lease().slot().group())
                .setInput(ByteString.copyFromUtf8(delivery.input().text()))
                .setTimeout(Duration.newBuilder()
                        .setSeconds(timeoutMillis / MILLIS_PER_SECOND)
                        .setNanos((int) (timeoutMillis % MILLIS_PER_SECOND) * NANOS_PER_MILLI))
                .setRunId(job.run().toString())
                .setStep(job.stepKey())
                .setWorkspace(job.workspace().name())
                .setFolder(job.folder())
                .setTraceparent(Traceparent.headerOf(trace))
                .setTracestate(Traceparent.stateOf(trace))
                .setTakesSpans(tracing.takesSpans(job))
                .setAlone(job.runsAlone(lossesMax))
                .setHasSecrets(mayHaveSecrets(job, delivery.input()))
                .setGroupId(job.group().map(group -> group.id().toString()).orElse(""));
        return (job.kind() == JobKind.HANDLER ? lease.setHandler(job.target()) : lease.setScriptHash(job.target()))
                .build();
    }

    /** Only steps of flows have secrets. Others pay nothing, and these a search in the input. */
    private static boolean mayHaveSecrets(QueuedJob job, Json input) {
        return !job.stepKey().isEmpty() && Placeholders.mayBeIn(input.text());
    }

    static ResultAck ack(LeaseReceiver.ResultAck ack) {
        return ResultAck.newBuilder()
                .setJobId(ack.job().toString())
                .setLeaseToken(ack.token().value())
                .setDisposition(
                        ack.refusal().isEmpty()
                                ? ResultAck.Disposition.DISPOSITION_ACCEPTED
                                : ResultAck.Disposition.DISPOSITION_REFUSED)
                .setReason(ack.refusal())
                .build();
    }

    /**
     * Converts the result of an attempt. A result that is too large, nested too deeply or not valid UTF-8 becomes a
     * failure.
     */
    static AttemptResult result(JobResult result, int payloadBytesMax) {
        return switch (result.getOutcomeCase()) {
            case RESULT -> payload(result.getResult(), payloadBytesMax);
            case ERROR -> new AttemptResult.Failed(error(result.getError()));
            case RETURNED -> new AttemptResult.Returned(result.getReturned().getReason());
            case OUTCOME_NOT_SET ->
                failed("ProtocolError", "The worker sent a result without an outcome: update the worker.");
        };
    }

    private static AttemptResult payload(ByteString bytes, int payloadBytesMax) {
        if (bytes.size() > payloadBytesMax) {
            return failed(
                    "ResultTooLarge",
                    "The result has " + bytes.size() + " bytes (expected: at most " + payloadBytesMax
                            + "). Return less, or store it elsewhere and return a reference.");
        }
        if (bytes.isEmpty() || !bytes.isValidUtf8()) {
            return failed("ResultError", "The result is not valid JSON. Return a JSON value.");
        }
        String text = bytes.toStringUtf8();
        if (JsonNesting.exceeds(text, RESULT_DEPTH_MAX)) {
            return failed(
                    "ResultError",
                    "The result is nested deeper than " + RESULT_DEPTH_MAX
                            + " levels. Return a flatter value, for example a list of nodes that name their parents.");
        }
        return new AttemptResult.Succeeded(new Json(text));
    }

    private static AttemptResult failed(String name, String message) {
        return new AttemptResult.Failed(dev.millrace.scheduler.queue.core.JobError.permanent(name, message));
    }

    private static dev.millrace.scheduler.queue.core.JobError error(JobError error) {
        return new dev.millrace.scheduler.queue.core.JobError(
                error.getName().isEmpty() ? "Error" : text(error.getName(), ERROR_NAME_MAX),
                text(error.getMessage(), ERROR_MESSAGE_MAX),
                text(error.getStack(), ERROR_STACK_MAX),
                error.getRetryable());
    }

    /** Replaces characters that Postgres cannot store, and truncates the text. */
    private static String text(String given, int lengthMax) {
        String storable = given.replace("\0", "\\0");
        return storable.length() <= lengthMax ? storable : storable.substring(0, lengthMax) + "…";
    }

    static dev.millrace.proto.worker.v1.WorkerDrain drain(WorkerDrain drain) {
        return dev.millrace.proto.worker.v1.WorkerDrain.newBuilder()
                .setActor(drain.actor())
                .setReason(drain.reason())
                .setDrainTime(TimeProtos.timestamp(drain.since()))
                .setGroups(drain.groups())
                .build();
    }

    static WorkerOccupancy occupancy(Occupancy occupancy) {
        return WorkerOccupancy.newBuilder()
                .setLast15S(occupancy.last15s() / PERCENT)
                .setLast5Min(occupancy.last5min() / PERCENT)
                .setLast30Min(occupancy.last30min() / PERCENT)
                .build();
    }

    /** Returns how long an attempt ran, in microseconds; negative if it never began. */
    static long runMicros(JobResult result) {
        if (!result.hasRunDuration()) {
            return -1;
        }
        Duration ran = result.getRunDuration();
        return ran.getSeconds() * MICROS_PER_SECOND + ran.getNanos() / NANOS_PER_MICRO;
    }

    private static void checkPauseReason(dev.millrace.proto.worker.v1.SlotGroup group) {
        String reason = group.getPauseReason();
        if (reason.length() > PAUSE_REASON_MAX || reason.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("pause_reason: " + reason.length() + " characters (expected: at most "
                    + PAUSE_REASON_MAX + ", none of them NUL)");
        }
    }

    private static void checkTags(dev.millrace.proto.worker.v1.SlotGroup group) {
        if (group.getTagsCount() > SlotGroup.TAGS_MAX) {
            throw new IllegalArgumentException(
                    "tags: " + group.getTagsCount() + " (expected: at most " + SlotGroup.TAGS_MAX + ")");
        }
        for (String tag : group.getTagsList()) {
            if (!JobOptions.isCallers(tag)) {
                throw new IllegalArgumentException("tags: \"" + tag.replace("\0", "\\0")
                        + "\" (expected: tags that do not begin with '@' or '~', as those of the scheduler itself do)");
            }
        }
    }

    /**
     * Converts slot groups.
     *
     * @param served the tags under which jobs wait that a worker may take which announces these tags
     * @throws IllegalArgumentException if a group exceeds a limit, or announces a tag of the scheduler itself
     */
    static List<SlotGroup> groups(
            List<dev.millrace.proto.worker.v1.SlotGroup> groups, UnaryOperator<List<String>> served) {
        groups.forEach(SessionProtos::checkPauseReason);
        groups.forEach(SessionProtos::checkTags);
        return groups.stream()
                .map(group -> new SlotGroup(
                        group.getName(), served.apply(group.getTagsList()), group.getSlots(), group.getPrefetch()))
                .toList();
    }
}
