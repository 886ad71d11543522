package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an outcome: status, result, error name, error message, error stack. The result of a failure is the one
 * in its error.
 */
public final class OutcomeColumns {
    private OutcomeColumns() {}

    public static <T> void bind(RowBinder binder, List<T> rows, Function<T, Outcome> outcome) throws SQLException {
        binder.integers(rows, row -> EndStatus.of(outcome.apply(row)).code());
        binder.texts(rows, row -> result(outcome.apply(row)));
        binder.texts(rows, row -> error(outcome.apply(row)).map(JobError::name).orElse(null));
        binder.texts(
                rows, row -> error(outcome.apply(row)).map(JobError::message).orElse(null));
        binder.texts(rows, row -> error(outcome.apply(row)).map(JobError::stack).orElse(null));
    }

    /** Reads an outcome from the values of its columns. */
    static Outcome read(
            EndStatus status,
            Optional<Json> result,
            @Nullable String errorName,
            @Nullable String errorMessage,
            @Nullable String errorStack) {
        Json value = result.orElse(Json.NULL);
        JobError error = new JobError(orEmpty(errorName), orEmpty(errorMessage), orEmpty(errorStack), false, result);
        return switch (status) {
            case SUCCEEDED -> new Outcome.Succeeded(value);
            case SKIPPED -> new Outcome.Skipped(value);
            case FAILED -> new Outcome.Failed(error);
            case CANCELED -> new Outcome.Canceled(error);
        };
    }

    private static @Nullable String result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded(Json value) -> value.text();
            case Outcome.Skipped(Json value) -> value.text();
            case Outcome.Failed(JobError error) ->
                error.result().map(Json::text).orElse(null);
            case Outcome.Canceled _ -> null;
        };
    }

    /** The error of a failure, or the reason of a cancellation. */
    public static Optional<JobError> error(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded _, Outcome.Skipped _ -> Optional.empty();
            case Outcome.Failed(JobError error) -> Optional.of(error);
            case Outcome.Canceled(JobError reason) -> Optional.of(reason);
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
