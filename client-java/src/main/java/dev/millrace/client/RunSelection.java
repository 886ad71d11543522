package dev.millrace.client;

import dev.millrace.proto.operation.v1.RunFilter;
import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs to which an operation on many runs applies: those with certain ids, or those that match. Immutable: {@code
 * RunSelection.ofFlow("shop/pay").withStates(RunState.FAILED)}.
 */
public final class RunSelection {
    private final StartBulkOperationRequest request;

    private RunSelection(StartBulkOperationRequest request) {
        this.request = request;
    }

    /** These runs, whatever their state. */
    public static RunSelection of(Collection<String> runIds) {
        return new RunSelection(StartBulkOperationRequest.newBuilder()
                .setRunIds(RunIds.newBuilder().addAllIds(runIds))
                .build());
    }

    /** All runs of the workspace, in the states for which the operation is made. */
    public static RunSelection all() {
        return of(RunFilter.newBuilder());
    }

    /** The runs of the flow with this path, in the states for which the operation is made. */
    public static RunSelection ofFlow(String path) {
        return of(RunFilter.newBuilder().setFlowPath(path));
    }

    /** Only runs in these states. Ignored for runs that are named by id, as what follows. */
    public RunSelection withStates(RunState... states) {
        return changed(filter().clearStates()
                .addAllStates(Stream.of(states).map(Messages::state).toList()));
    }

    /** Only runs of this flow, script or handler. Not for a selection {@link #ofFlow of a flow}. */
    public RunSelection withName(String name) {
        return changed(filter().setName(name));
    }

    /**
     * Only runs whose input meets all these conditions, for example {@code customer.id=7} or {@code name~smith}. The
     * scheduler refuses a search by input, output or tag that takes more than 20 s.
     */
    public RunSelection withInput(String... conditions) {
        return changed(filter().clearInput().addAllInput(List.of(conditions)));
    }

    /** Only runs that have ended and whose output meets all these conditions. */
    public RunSelection withOutput(String... conditions) {
        return changed(filter().clearOutput().addAllOutput(List.of(conditions)));
    }

    /** Only runs of which a job has this tag. */
    public RunSelection withTag(String tag) {
        return changed(filter().setTag(tag));
    }

    /** Only runs accepted at this time or later. */
    public RunSelection withCreatedFrom(Instant time) {
        return changed(filter().setCreatedFrom(Times.message(time)));
    }

    /** Only runs accepted before this time. */
    public RunSelection withCreatedBefore(Instant time) {
        return changed(filter().setCreatedBefore(Times.message(time)));
    }

    StartBulkOperationRequest.Builder request() {
        return request.toBuilder();
    }

    private RunFilter.Builder filter() {
        return request.getFilter().toBuilder();
    }

    private RunSelection changed(RunFilter.Builder filter) {
        return request.hasRunIds() ? this : of(filter);
    }

    private static RunSelection of(RunFilter.Builder filter) {
        return new RunSelection(
                StartBulkOperationRequest.newBuilder().setFilter(filter).build());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunSelection it && it.request.equals(request);
    }

    @Override
    public int hashCode() {
        return request.hashCode();
    }

    @Override
    public String toString() {
        return "RunSelection[" + request.toString().strip().replace("\n", ", ") + "]";
    }
}
