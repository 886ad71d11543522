package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.evaluator.WorkWatch;
import java.time.Duration;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;

/**
 * Runner of work in the realm of this process, within limits. If the work was stopped, or may have left marks on shared
 * objects, the next work gets a new realm.
 */
final class RealmHost {
    private final Realm realm = new Realm();
    private final WorkWatch watch;

    RealmHost(WorkWatch watch) {
        this.watch = watch;
    }

    /** Returns the result of a script as JSON. */
    String evaluate(Evaluation evaluation) {
        Duration workMax = Limits.WORK_MAX.plus(Limits.WORK_PER_CHAR.multipliedBy(evaluation.chars()));
        return run(evaluation.source(), evaluation, workMax, Limits.WAIT_MAX);
    }

    /**
     * Checks that a function can be parsed.
     *
     * @throws ScriptInvalid if it cannot
     */
    void parse(String source, Parsing parsing) {
        run(source, parsing, Limits.PARSE_MAX, Limits.PARSE_MAX.multipliedBy(2));
    }

    private <T> T run(String source, Work<T> work, Duration workMax, Duration waitMax) {
        Context context;
        try {
            context = realm.open();
        } catch (PolyglotException | IllegalStateException unusable) {
            throw Failures.stopped(source, unusable);
        }
        var bounds = new WorkWatch.Bounds(workMax, waitMax, Limits.ALLOCATED_BYTES_MAX);
        WorkWatch.Ended<T> ended = watch.run(bounds, () -> stop(context), () -> work.in(realm, context));
        boolean endsContext = ended.failure() != null && Failures.endsContext(ended.failure());
        if (endsContext || !ended.excess().isEmpty() || work.endsRealm()) {
            realm.close();
        }
        if (endsContext && !ended.excess().isEmpty()) {
            throw Failures.limit(source, ended.excess());
        }
        return switch (ended.failure()) {
            case null -> ended.value().orElseThrow();
            case ScriptInvalid invalid -> throw invalid;
            case Throwable failure -> throw Failures.stopped(source, failure);
        };
    }

    /** Stops the code that runs in a context and waits for its end. The context cannot be used afterwards. */
    private static void stop(Context running) {
        try {
            running.close(true);
        } catch (PolyglotException | IllegalStateException closing) {
            // The stopped code ends with an exception of its own.
        }
    }
}
