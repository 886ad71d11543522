package dev.millrace.scheduler.bulk;

import dev.millrace.proto.operation.v1.BulkOperation;
import dev.millrace.proto.operation.v1.BulkOperationRun;
import dev.millrace.proto.operation.v1.OperationNote;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.operation.OperationProtos;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.TimeProtos;

/** Converts bulk operations to messages. */
final class BulkProtos {
    private BulkProtos() {}

    static BulkOperation bulk(Bulk bulk) {
        BulkOperation.Builder message = BulkOperation.newBuilder()
                .setId(bulk.id().toString())
                .setWorkspace(bulk.workspace().name())
                .setOperation(OperationProtos.kind(bulk.operation()))
                .setStep(bulk.stepKey())
                .setFlowHash(bulk.flowHash().orElse(""))
                .setHasStepInput(bulk.hasStepInput())
                .setNote(note(bulk.note()))
                .setState(state(bulk.state()))
                .setTotal(bulk.progress().total())
                .setDone(bulk.progress().done())
                .setFailed(bulk.progress().failed())
                .setLeftOut(bulk.progress().leftOut())
                .setCreateTime(TimeProtos.timestamp(bulk.created()));
        bulk.canceled().map(BulkProtos::note).ifPresent(message::setCancelNote);
        bulk.ended().map(TimeProtos::timestamp).ifPresent(message::setEndTime);
        return message.build();
    }

    static BulkOperationRun item(BulkItem item) {
        BulkOperationRun.Builder message =
                BulkOperationRun.newBuilder().setRunId(item.run().toString());
        return switch (item.state()) {
            case ItemState.Waiting _ ->
                message.setState(BulkOperationRun.State.STATE_WAITING).build();
            case ItemState.LeftOut _ ->
                message.setState(BulkOperationRun.State.STATE_LEFT_OUT).build();
            case ItemState.Done done ->
                message.setState(BulkOperationRun.State.STATE_DONE)
                        .setNewRunId(done.newRun().map(RunId::toString).orElse(""))
                        .build();
            case ItemState.Failed failed ->
                message.setState(BulkOperationRun.State.STATE_FAILED)
                        .setErrorCode(failed.code())
                        .setErrorMessage(failed.message())
                        .build();
        };
    }

    /** The database's code of a state that a caller names. */
    static Short itemState(BulkOperationRun.State state) {
        return switch (state) {
            case STATE_WAITING -> ItemState.WAITING;
            case STATE_DONE -> ItemState.DONE;
            case STATE_FAILED -> ItemState.FAILED;
            case STATE_LEFT_OUT -> ItemState.LEFT_OUT;
            case STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw MillraceException.invalid("states", state + " is not a state of a run in a bulk operation");
        };
    }

    private static BulkOperation.State state(BulkState state) {
        return switch (state) {
            case RUNNING -> BulkOperation.State.STATE_RUNNING;
            case ENDED -> BulkOperation.State.STATE_ENDED;
            case CANCELING -> BulkOperation.State.STATE_CANCELING;
            case CANCELED -> BulkOperation.State.STATE_CANCELED;
        };
    }

    private static OperationNote note(dev.millrace.scheduler.queue.OperationNote note) {
        return OperationNote.newBuilder()
                .setActor(note.actor())
                .setReason(note.reason())
                .setRequestId(note.requestId())
                .build();
    }
}
