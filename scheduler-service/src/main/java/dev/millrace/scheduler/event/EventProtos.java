package dev.millrace.scheduler.event;

import dev.millrace.proto.event.v1.FollowEventsRequest;
import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.event.core.EventTypes;
import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunProtos;
import dev.millrace.scheduler.run.search.KindOfRun;
import java.util.Optional;

/** Reads filters and positions, and writes events as messages. */
final class EventProtos {
    private EventProtos() {}

    static EventFilter filter(String workspaceName, dev.millrace.proto.event.v1.EventFilter given) {
        Violations violations = new Violations();
        violations.require(
                given.getTypesCount() <= EventFilter.TYPES_MAX,
                "filter.types",
                given.getTypesCount() + " types (expected: at most " + EventFilter.TYPES_MAX + ")");
        for (String type : given.getTypesList()) {
            violations.require(EventTypes.isWanted(type), "filter.types", EventTypes.problem(type));
        }
        violations.throwIfAny();
        Optional<RunId> run = Optional.of(given.getRunId())
                .filter(id -> !id.isEmpty())
                .map(id -> RequestFields.run(workspaceName, id))
                .map(RunRef::id);
        return new EventFilter(
                given.getTypesList(), text(given.getFolder()), text(given.getPath()), run, Optional.empty());
    }

    static Start start(FollowEventsRequest request) {
        Violations violations = new Violations();
        Optional<Position> after = text(request.getAfterPosition()).flatMap(Position::parse);
        violations.require(
                request.getAfterPosition().isEmpty() || after.isPresent(),
                "after_position",
                "is no position (expected: the position of an earlier response)");
        violations.require(
                request.getAfterPosition().isEmpty() || !request.getFromOldest(),
                "from_oldest",
                "is set, but so is after_position (expected: one of them)");
        violations.throwIfAny();
        if (request.getFromOldest()) {
            return new Start.Oldest();
        }
        return after.<Start>map(Start.After::new).orElseGet(Start.Now::new);
    }

    static Start start(FollowRunsRequest request) {
        return start(FollowEventsRequest.newBuilder()
                .setAfterPosition(request.getAfterPosition())
                .build());
    }

    /** The messages of a feed of runs. */
    static final class RunMessages implements RunFeed.Messages<FollowRunsResponse> {
        @Override
        public FollowRunsResponse run(Position position, Run run) {
            return at(position)
                    .setRun(RunProtos.run(run))
                    .setPreparation(KindOfRun.isPreparation(run))
                    .build();
        }

        @Override
        public FollowRunsResponse upTo(Position position) {
            return at(position).build();
        }

        @Override
        public FollowRunsResponse missing(Position position, String why) {
            return at(position).setGap(why).build();
        }

        private static FollowRunsResponse.Builder at(Position position) {
            return FollowRunsResponse.newBuilder().setPosition(position.text());
        }
    }

    static FollowEventsResponse checkpoint(Position position) {
        return FollowEventsResponse.newBuilder().setPosition(position.text()).build();
    }

    static FollowEventsResponse gap(Position position, String why) {
        return FollowEventsResponse.newBuilder()
                .setPosition(position.text())
                .setGap(why)
                .build();
    }

    static FollowEventsResponse event(Workspace workspace, Position position, StoredEvent event) {
        return FollowEventsResponse.newBuilder()
                .setPosition(position.text())
                .setCloudEvent(CloudEvent.of(workspace, position, event))
                .build();
    }

    private static Optional<String> text(String given) {
        return Optional.of(given).filter(text -> !text.isEmpty());
    }
}
