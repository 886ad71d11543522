package dev.millrace.scheduler.operation;

import com.google.protobuf.ByteString;
import dev.millrace.proto.operation.v1.OperationKind;
import dev.millrace.proto.operation.v1.RunHistoryEntry;
import dev.millrace.proto.operation.v1.RunOperation;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.Optional;
import java.util.stream.Stream;

/** Converts operations to messages and back. */
public final class OperationProtos {
    private OperationProtos() {}

    static RunOperation operation(PastOperation operation) {
        return RunOperation.newBuilder()
                .setId(operation.id().toString())
                .setRunId(operation.run().toString())
                .setOperation(kind(operation.operation()))
                .setNote(note(operation.note()))
                .setDetails(ByteString.copyFromUtf8(operation.details().text()))
                .setCreateTime(TimeProtos.timestamp(operation.time()))
                .build();
    }

    static RunHistoryEntry entry(HistoryEntry entry) {
        return RunHistoryEntry.newBuilder()
                .setKind(kind(entry.kind()))
                .setTime(TimeProtos.timestamp(entry.time()))
                .setStep(entry.step())
                .setWhat(entry.what())
                .setWho(entry.who())
                .setWhy(entry.why())
                .setDetails(ByteString.copyFromUtf8(entry.details().text()))
                .build();
    }

    private static RunHistoryEntry.Kind kind(HistoryEntry.Kind kind) {
        return switch (kind) {
            case OPERATION -> RunHistoryEntry.Kind.KIND_OPERATION;
            case ANSWER -> RunHistoryEntry.Kind.KIND_ANSWER;
            case ATTEMPT -> RunHistoryEntry.Kind.KIND_ATTEMPT;
        };
    }

    /** The operation in the contract. */
    public static OperationKind kind(dev.millrace.scheduler.queue.OperationKind kind) {
        return switch (kind) {
            case CANCEL -> OperationKind.OPERATION_KIND_CANCEL;
            case PAUSE -> OperationKind.OPERATION_KIND_PAUSE;
            case RESUME -> OperationKind.OPERATION_KIND_RESUME;
            case RETRY -> OperationKind.OPERATION_KIND_RETRY;
            case RESTART -> OperationKind.OPERATION_KIND_RESTART;
            case RERUN -> OperationKind.OPERATION_KIND_RERUN;
            case SKIP -> OperationKind.OPERATION_KIND_SKIP;
            case PIN -> OperationKind.OPERATION_KIND_PIN;
            case UNPIN -> OperationKind.OPERATION_KIND_UNPIN;
        };
    }

    /** The operation that a caller names; empty if there is no such operation. */
    public static Optional<dev.millrace.scheduler.queue.OperationKind> kind(OperationKind kind) {
        return Stream.of(dev.millrace.scheduler.queue.OperationKind.values())
                .filter(known -> kind(known) == kind)
                .findFirst();
    }

    private static dev.millrace.proto.operation.v1.OperationNote note(OperationNote note) {
        return dev.millrace.proto.operation.v1.OperationNote.newBuilder()
                .setActor(note.actor())
                .setReason(note.reason())
                .setRequestId(note.requestId())
                .build();
    }
}
