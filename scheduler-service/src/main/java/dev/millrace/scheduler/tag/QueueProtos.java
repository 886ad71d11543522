package dev.millrace.scheduler.tag;

import dev.millrace.proto.queue.v1.Queue;
import dev.millrace.proto.queue.v1.QueuePause;
import dev.millrace.proto.queue.v1.QueueRate;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.tag.core.TagPause;

/** Converts queues and the lines of limits to messages. */
final class QueueProtos {
    private QueueProtos() {}

    static Queue queue(Queues.Line line) {
        Queue.Builder queue = Queue.newBuilder()
                .setTag(line.tag())
                .setWorkspace(line.owner().map(Workspace::name).orElse(""))
                .setWaiting(line.waiting())
                .setHasMoreWaiting(line.hasMore())
                .setRunning(line.running())
                .setSlots(line.workers().slots())
                .setWorkers(line.workers().workers())
                .setRate(QueueRate.newBuilder()
                        .setEnqueuedPerSecond(line.rates().enqueued())
                        .setLeasedPerSecond(line.rates().leased())
                        .setEndedPerSecond(line.rates().ended()))
                .addAllReasons(line.reasons());
        line.oldest().map(TimeProtos::timestamp).ifPresent(queue::setOldestTime);
        line.pause().map(QueueProtos::pause).ifPresent(queue::setPause);
        return queue.build();
    }

    static QueuePause pause(TagPause pause) {
        QueuePause.Builder message = QueuePause.newBuilder()
                .setActor(pause.actor())
                .setReason(pause.reason())
                .setPauseTime(TimeProtos.timestamp(pause.since()));
        pause.until().map(TimeProtos::timestamp).ifPresent(message::setUntilTime);
        return message.build();
    }

    static dev.millrace.proto.queue.v1.LimitLine line(LimitLine line) {
        var message = dev.millrace.proto.queue.v1.LimitLine.newBuilder()
                .setKind(kind(line.kind()))
                .setKey(line.key())
                .setFlow(line.flow())
                .setMax(line.max().orElse(0))
                .setWaiting(Math.min(line.waiting(), LimitLineStore.COUNTED_MAX))
                .setHasMoreWaiting(line.waiting() > LimitLineStore.COUNTED_MAX)
                .setRunning(line.running());
        line.rate().ifPresent(rate -> message.setRateCount(rate.count()).setRatePer(TimeProtos.duration(rate.per())));
        line.first()
                .ifPresent(first ->
                        message.setFirstRunId(first.run()).setFirstTime(TimeProtos.timestamp(first.createdAt())));
        return message.build();
    }

    private static dev.millrace.proto.queue.v1.LimitLine.Kind kind(LimitLine.Kind kind) {
        return switch (kind) {
            case JOBS -> dev.millrace.proto.queue.v1.LimitLine.Kind.KIND_JOBS;
            case RUNS -> dev.millrace.proto.queue.v1.LimitLine.Kind.KIND_RUNS;
            case DEBOUNCED -> dev.millrace.proto.queue.v1.LimitLine.Kind.KIND_DEBOUNCED;
        };
    }
}
