package dev.millrace.client;

import dev.millrace.proto.run.v1.ListRunsRequest;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which runs a search finds. Immutable: {@code RunFilter.ALL.withName("pipeline").withStates(RunState.FAILED)}.
 */
public final class RunFilter {
    /** All runs of the workspace but those that deployments start. */
    public static final RunFilter ALL = new RunFilter(ListRunsRequest.getDefaultInstance());

    private final ListRunsRequest request;

    private RunFilter(ListRunsRequest request) {
        this.request = request;
    }

    /** Only runs in these states; none means all. */
    public RunFilter withStates(RunState... states) {
        return of(request.toBuilder()
                .clearStates()
                .addAllStates(Stream.of(states).map(Messages::state).toList()));
    }

    /** Only runs of this flow, script or handler. */
    public RunFilter withName(String name) {
        return of(request.toBuilder().setName(name));
    }

    /** Only runs of this kind. Without one, a filter means work, or all runs if it has a name. */
    public RunFilter withKind(RunKind kind) {
        return of(request.toBuilder().setKind(ListRunsRequest.Kind.valueOf("KIND_" + kind.name())));
    }

    /** Only runs accepted at this time or later. */
    public RunFilter withCreatedFrom(Instant time) {
        return of(request.toBuilder().setCreatedFrom(Times.message(time)));
    }

    /** Only runs accepted before this time. */
    public RunFilter withCreatedBefore(Instant time) {
        return of(request.toBuilder().setCreatedBefore(Times.message(time)));
    }

    /** Only runs whose input meets all these conditions, for example {@code customer.id=7} or {@code name~smith}. */
    public RunFilter withInput(String... conditions) {
        return of(request.toBuilder().clearInput().addAllInput(List.of(conditions)));
    }

    /** Only runs whose output meets all these conditions. */
    public RunFilter withOutput(String... conditions) {
        return of(request.toBuilder().clearOutput().addAllOutput(List.of(conditions)));
    }

    /** Only runs of which a job has this tag. */
    public RunFilter withTag(String tag) {
        return of(request.toBuilder().setTag(tag));
    }

    ListRunsRequest.Builder request() {
        return request.toBuilder();
    }

    private static RunFilter of(ListRunsRequest.Builder changed) {
        return new RunFilter(changed.build());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunFilter it && it.request.equals(request);
    }

    @Override
    public int hashCode() {
        return request.hashCode();
    }

    @Override
    public String toString() {
        return "RunFilter[" + request.toString().strip().replace("\n", ", ") + "]";
    }
}
