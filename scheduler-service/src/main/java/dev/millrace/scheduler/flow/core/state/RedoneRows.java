package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Filters out history rows that operations have voided so that a part of the run is done again.
 *
 * <p>The history is append-only. An operation voids rows by adding a reset. A reset with the mark
 * {@link StepKey.Mark#REDO} voids all earlier rows at and below its key, including changes of variables. A reset with
 * the mark {@link StepKey.Mark#REOPEN} voids only earlier ends of its container or iteration. The caller must give a
 * reset an id greater than the ids of all existing rows and jobs.
 */
public final class RedoneRows {
    private RedoneRows() {}

    /** Returns the rows that count, without the resets of operations. */
    public static List<FinishedStep> without(Iterable<FinishedStep> rows) {
        List<FinishedStep> all = StreamSupport.stream(rows.spliterator(), false).toList();
        Map<StepKey, JobId> resets = latest(all);
        return resets.isEmpty()
                ? all
                : all.stream()
                        .filter(row -> !isReset(row) && !isVoid(row, resets))
                        .toList();
    }

    /** Returns the resets of operations that count and that record the attempt they led to. */
    static List<FinishedStep> retries(Iterable<FinishedStep> rows) {
        Map<StepKey, JobId> resets = latest(rows);
        return resets.isEmpty()
                ? List.of()
                : StreamSupport.stream(rows.spliterator(), false)
                        .filter(row -> isReset(row) && isRetry(row) && !isVoid(row, resets))
                        .toList();
    }

    /** Returns all rows, resets that record retries included, that still count after the given resets. */
    public static List<FinishedStep> keep(Iterable<FinishedStep> rows, Collection<StepKey> resets) {
        return Stream.concat(without(rows).stream(), retries(rows).stream())
                .filter(row -> !isVoid(row, (key, id) -> resets.contains(key)))
                .toList();
    }

    private static boolean isRetry(FinishedStep reset) {
        return reset.outcome() instanceof Outcome.Succeeded(Json told)
                && Retry.read(told).isPresent();
    }

    private static Map<StepKey, JobId> latest(Iterable<FinishedStep> rows) {
        Map<StepKey, JobId> resets = new HashMap<>();
        for (FinishedStep row : rows) {
            if (isReset(row)) {
                resets.merge(row.key(), row.id(), (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        }
        return resets;
    }

    private static boolean isVoid(FinishedStep row, Map<StepKey, JobId> resets) {
        return isVoid(row, (key, id) -> {
            JobId reset = resets.get(key);
            return reset != null && reset.compareTo(id) > 0;
        });
    }

    /** Returns the rows that still count after the given resets. */
    public static List<FinishedStep> without(Iterable<FinishedStep> rows, Collection<StepKey> resets) {
        return without(rows).stream()
                .filter(row -> !isVoid(row, (key, id) -> resets.contains(key)))
                .toList();
    }

    private static boolean isReset(FinishedStep row) {
        return row.kind() == JobKind.RESET
                && row.key()
                        .mark()
                        .filter(mark -> mark == StepKey.Mark.REDO || mark == StepKey.Mark.REOPEN)
                        .isPresent();
    }

    private static boolean isVoid(FinishedStep row, BiPredicate<StepKey, JobId> hasReset) {
        StepKey step = row.key().step();
        boolean isEnd = row.kind() != JobKind.RESET && !row.key().isOpening();
        return (isEnd && hasReset.test(step.with(StepKey.Mark.REOPEN), row.id()))
                || hasReset.test(step.with(StepKey.Mark.REDO), row.id())
                || step.around().stream().anyMatch(around -> hasReset.test(around.with(StepKey.Mark.REDO), row.id()));
    }
}
