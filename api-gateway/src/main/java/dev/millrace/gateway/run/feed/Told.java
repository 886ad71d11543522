package dev.millrace.gateway.run.feed;

import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsResponse;

/**
 * What a {@link JointFeed} tells: a change of a run, or an event.
 */
public sealed interface Told {

    /** Where to go on after this, in both streams. */
    String position();

    /** A message of the feed of runs. */
    record OfRuns(String position, FollowRunsResponse change) implements Told {}

    /** A message of the stream of events. */
    record OfEvents(String position, FollowEventsResponse event) implements Told {}
}
