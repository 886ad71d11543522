package dev.millrace.scheduler.operation;

import com.google.protobuf.ByteString;
import dev.millrace.proto.operation.v1.RunOperation;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.rpc.TimeProtos;

/** Operations as messages. */
final class OperationProtos {
    private OperationProtos() {}

    static RunOperation operation(PastOperation operation) {
        return RunOperation.newBuilder()
                .setId(operation.id().toString())
                .setRunId(operation.run().toString())
                .setOperation(operation.operation())
                .setNote(note(operation.note()))
                .setDetails(ByteString.copyFromUtf8(operation.details().text()))
                .setCreateTime(TimeProtos.timestamp(operation.time()))
                .build();
    }

    private static dev.millrace.proto.operation.v1.OperationNote note(OperationNote note) {
        return dev.millrace.proto.operation.v1.OperationNote.newBuilder()
                .setActor(note.actor())
                .setReason(note.reason())
                .setRequestId(note.requestId())
                .build();
    }
}
