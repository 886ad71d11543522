package dev.millrace.flowtest.file;

import static java.util.Objects.requireNonNull;

import dev.millrace.flowtest.Fake;
import dev.millrace.flowtest.FakeTemplate;
import dev.millrace.flowtest.SimulationStopped;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A fake as a file describes it. It counts its calls, so each test needs one of its own: {@link #fresh}.
 *
 * @param error the error of the attempts that fail; absent if none does
 * @param fails how many attempts of each job fail, the first ones
 * @param results the results of the first calls that succeed
 * @param result the result of all further calls; absent if there may be none
 * @param script file of the script that runs in place of results
 * @param takes virtual time of each attempt
 */
public record WrittenFake(
        String name,
        Optional<JobError> error,
        int fails,
        List<FakeTemplate> results,
        Optional<FakeTemplate> result,
        Optional<String> script,
        Duration takes) {
    /** The number of failures of a fake that never succeeds. */
    public static final int ALWAYS = Integer.MAX_VALUE;

    public WrittenFake {
        requireNonNull(name, "name");
        requireNonNull(error, "error");
        results = List.copyOf(results);
        requireNonNull(result, "result");
        requireNonNull(script, "script");
        requireNonNull(takes, "takes");
    }

    /**
     * Returns a fake that has not been called.
     *
     * @param scripts what runs the script in a file
     */
    Fake fresh(Function<String, Fake> scripts) {
        return new Counting(this, script.map(scripts));
    }

    private static final class Counting implements Fake {
        private final WrittenFake written;
        private final Optional<Fake> script;
        private int successes;

        private Counting(WrittenFake written, Optional<Fake> script) {
            this.written = written;
            this.script = script;
        }

        @Override
        public Answer call(Call call) {
            if (written.error.isPresent() && call.attempt() <= written.fails) {
                return new Answer(new AttemptResult.Failed(written.error.get()), written.takes);
            }
            if (script.isPresent()) {
                return script.get().call(call).after(written.takes);
            }
            successes++;
            FakeTemplate template = successes <= written.results.size()
                    ? written.results.get(successes - 1)
                    : written.result.orElseThrow(() -> new SimulationStopped("The fake \"" + written.name + "\" has "
                            + written.results.size() + " results, and is called once more. Add a result to its results,"
                            + " or a result for all further calls."));
            return Answer.of(template.of(call.run(), call.input())).after(written.takes);
        }
    }
}
