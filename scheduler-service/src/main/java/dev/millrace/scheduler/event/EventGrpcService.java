package dev.millrace.scheduler.event;

import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.PacedStream;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.run.search.RunSearches;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** gRPC service for those who follow events. A slow reader holds one batch here, and the rest stays in the database. */
public final class EventGrpcService extends EventServiceGrpc.EventServiceImplBase {
    /** Estimate of the memory of one reader: a batch of events, each with a few hundred bytes. */
    public static final int READER_BYTES = 128 << 10;

    /** How often a reader looks for events whose announcement was lost, and for those of workers and deployments. */
    static final Duration HEALING_INTERVAL = Duration.ofSeconds(1);
    /** How often a reader learns its position while no event matches. */
    static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(15);
    /** How often a reader prolongs the recording. */
    static final Duration PROLONG_INTERVAL = Recording.KEPT.dividedBy(6);

    private final Events events;
    private final RunSearches runs;
    private final Followers followers;
    private final Predicate<Workspace> servedByShared;

    /** @param servedByShared whether workers whose tokens name no workspace serve a workspace */
    public EventGrpcService(Events events, RunSearches runs, Followers followers, Predicate<Workspace> servedByShared) {
        this.events = events;
        this.runs = runs;
        this.followers = followers;
        this.servedByShared = servedByShared;
    }

    @Override
    public void followEvents(FollowEventsRequest request, StreamObserver<FollowEventsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        EventFilter filter = EventProtos.filter(request.getWorkspace(), request.getFilter())
                .seenIn(Access.current().visibleFolders(workspace));
        Start start = EventProtos.start(request);
        boolean untilNow = request.getUntilNow();
        followers.start(observer, stream -> follow(workspace, filter, start, untilNow, stream));
    }

    @Override
    public void followRuns(FollowRunsRequest request, StreamObserver<FollowRunsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Optional<Set<String>> folders = Access.current().visibleFolders(workspace);
        Start start = EventProtos.start(request);
        boolean untilNow = request.getUntilNow();
        followers.start(
                observer,
                stream -> new RunFeed<>(events, runs, workspace, folders, new EventProtos.RunMessages(), stream)
                        .follow(start, untilNow));
    }

    private void follow(
            Workspace workspace,
            EventFilter filter,
            Start start,
            boolean untilNow,
            PacedStream<FollowEventsResponse> stream)
            throws InterruptedException {
        Events.Waiter waiter = events.waiter(stream::wake);
        try (waiter) {
            Events.Opening opening = events.open(workspace, filter.scope(), start, false);
            Position position = opening.position();
            stream.send(
                    opening.gap().isPresent()
                            ? EventProtos.gap(position, opening.gap().get())
                            : EventProtos.checkpoint(position));
            long prolonged = System.nanoTime();
            long told = prolonged;
            boolean goesOn = true;
            while (goesOn) {
                stream.awaitReady();
                EventStore.Batch batch = events.next(workspace, servedByShared.test(workspace), position);
                position = batch.end();
                boolean sent = send(batch, workspace, filter, position.epoch(), stream);
                long now = System.nanoTime();
                told = sent ? now : told;
                goesOn = !untilNow || !batch.isLast() || position.transaction() < opening.until();
                if (!goesOn || now - told > CHECKPOINT_INTERVAL.toNanos()) {
                    stream.send(EventProtos.checkpoint(position));
                    told = now;
                }
                if (now - prolonged > PROLONG_INTERVAL.toNanos()) {
                    events.prolong(workspace, filter.scope());
                    prolonged = now;
                }
                if (goesOn && batch.isLast()) {
                    stream.awaitChange(Events.pauseAfter(batch, HEALING_INTERVAL));
                }
            }
        }
    }

    private static boolean send(
            EventStore.Batch batch,
            Workspace workspace,
            EventFilter filter,
            int epoch,
            PacedStream<FollowEventsResponse> stream)
            throws InterruptedException {
        boolean sent = false;
        for (StoredEvent event : batch.events()) {
            if (filter.matches(event)) {
                Position place = new Position(
                        epoch, event.transaction(), event.number(), event.time().toEpochMilli());
                stream.send(EventProtos.event(workspace, place, event));
                sent = true;
            }
        }
        return sent;
    }
}
